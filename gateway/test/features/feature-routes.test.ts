import { describe, expect, it } from 'vitest';
import { type ConfiguredFeature, createFeatureSwitches } from '../../src/features/index.ts';
import type { Principal } from '../../src/operations/index.ts';
import { listFeatures } from '../../src/server/http/routes/features/list-features.ts';
import { setFeature } from '../../src/server/http/routes/features/set-feature.ts';
import { httpEndpoint } from '../server/http/http-endpoint.ts';

const FEATURES: readonly ConfiguredFeature[] = [
  { name: 'ceph.daos', source: 'ceph', enabled: false },
  { name: 'lab.beta', source: 'lab', enabled: true },
];

const switches = () => createFeatureSwitches({ configured: () => FEATURES });
const endpoint = (admin: object = { features: switches() }) =>
  httpEndpoint({ tools: [] } as never, {}, admin);

describe('/api/v1/features', () => {
  it('lists them and switches one, for the operator', async () => {
    await using http = await endpoint();
    const put = (name: string, body: unknown) =>
      http.json(`/api/v1/features/${name}`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    expect(await put('ceph.daos', { enabled: true })).toMatchObject([
      200,
      { name: 'ceph.daos', enabled: true, configured: false, changedBy: 'local' },
    ]);
    expect(await http.json('/api/v1/features')).toMatchObject([
      200,
      {
        features: [
          { name: 'ceph.daos', enabled: true },
          { name: 'lab.beta', enabled: true },
        ],
      },
    ]);
    expect(await put('ceph.daos', { enabled: null })).toMatchObject([200, { enabled: false }]);
    expect(await put('ceph.doas', { enabled: true })).toMatchObject([
      404,
      { error: { code: 'feature_unknown' } },
    ]);
    expect((await put('ceph.daos', {}))[0]).toBe(400);
    expect((await put('ceph.daos', { enabled: 'yes' }))[0]).toBe(400);
  });

  it('is not there where a gateway has none', async () => {
    await using http = await endpoint({});
    expect((await http.json('/api/v1/features'))[0]).toBe(404);
  });

  it('shows a user the features of sources that the user may use, and not who switched them', async () => {
    const features = switches();
    await features.set('lab.beta', false, 'local');
    const principal: Principal = { id: 'ann', kind: 'user', maxAccess: 'delete', roles: [] };
    const profile = async () => ({
      roles: [],
      effectiveAccess: {},
      sources: [
        { name: 'ceph', category: 'api', level: 'none', connection: 'missing' },
        { name: 'lab', category: 'api', level: 'read-only', connection: 'connected' },
      ],
    });
    const answer = await listFeatures.handle(
      {} as never,
      { gateway: { features, profile }, principal } as never,
    );
    expect(answer).toEqual({
      features: [{ name: 'lab.beta', source: 'lab', enabled: false, configured: true }],
    });
  });

  it('lets no user of a team switch anything: it concerns every organisation', () => {
    expect(setFeature.audience).toBe('operator');
    expect(setFeature.access).toBe('dangerous');
  });
});
