import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ByteRange } from '../../../src/artifacts/artifact.ts';
import { createDirectoryBytes } from '../../../src/artifacts/directory-bytes.ts';
import { createArtifactStore } from '../../../src/artifacts/index.ts';
import { ownedArtifacts } from '../../../src/assembly/owned-artifacts.ts';
import { matches } from '../../../src/events/event-query.ts';
import type { Event, Principal } from '../../../src/operations/index.ts';
import type { GatewayAdmin } from '../../../src/server/http/admin/gateway-admin.ts';
import { httpEndpoint } from './http-endpoint.ts';

const CONTENT = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
const PDF = { mimeType: 'application/pdf', name: 'Bericht über “alles”.pdf' };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'toolcrib-http-artifacts-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function serving(authenticated?: Principal, admin: Partial<GatewayAdmin> = {}) {
  const store = createArtifactStore(directory);
  const endpoint = await httpEndpoint(
    { tools: [] },
    {},
    { artifacts: async (principal) => ownedArtifacts(store, principal), ...admin },
    authenticated === undefined ? {} : { authenticate: async () => authenticated },
  );
  return { store, endpoint, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}
const user = (id: string): Principal =>
  ({ id, kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] }) as unknown as Principal;
const asUser = { headers: { authorization: 'Bearer any' } };

describe('GET /artifacts/{id}', () => {
  test('is a download with its hash as tag, never a page of ours', async () => {
    await using crib = await serving();
    const { id, hash } = await crib.store.put(CONTENT, PDF);
    const response = await crib.endpoint.request(`/api/v1/artifacts/${id}`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(CONTENT)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '100000',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="Bericht _ber _alles_.pdf"; filename\*=UTF-8''Bericht%20%C3%BCber/,
      ),
      etag: `"${hash}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  test('whose bytes are gone is not there, and no answer that breaks off', async () => {
    const bytes = createDirectoryBytes(directory);
    const hash = 'a'.repeat(64);
    await bytes.write('kept', CONTENT, PDF, hash);
    const opened = { id: 'b'.repeat(32), uri: 'toolcrib:x', ...PDF, size: CONTENT.length, hash };
    const at = new Date(0).toISOString();
    const artifact = {
      ...opened,
      createdAt: at,
      expiresAt: at,
      stream: (range?: ByteRange) => bytes.stream('kept', CONTENT.length, range),
    };
    const artifacts = { ...createArtifactStore(directory), open: async () => artifact };
    await using crib = await serving(undefined, { artifacts: async () => artifacts });
    const ask = (method = 'GET') => crib.endpoint.request(`/api/v1/artifacts/${opened.id}`, { method });
    expect(Buffer.from(await (await ask()).arrayBuffer()).equals(CONTENT)).toBe(true);
    expect((await ask('HEAD')).status).toBe(200);
    await rm(directory, { recursive: true });
    const response = await ask();
    expect([response.status, (await ask('HEAD')).status]).toEqual([404, 404]);
    expect(await response.json()).toMatchObject({
      error: { code: 'not_found', next: expect.stringMatching(/^Call the operation again/) },
    });
  });

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=65530-65545', 65_530, 65_545],
    ['bytes=99990-', 99_990, 99_999],
    ['bytes=99990-200000', 99_990, 99_999],
    ['bytes=7-7', 7, 7],
    ['bytes=99999-99999', 99_999, 99_999],
    ['bytes=-10', 99_990, 99_999],
    ['bytes=-200000', 0, 99_999],
  ])('Range: %s', async (range, first, last) => {
    await using crib = await serving();
    const { id } = await crib.store.put(CONTENT, PDF);
    const response = await crib.endpoint.request(`/api/v1/artifacts/${id}`, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/100000`);
    expect(response.headers.get('content-length')).toBe(String(last - first + 1));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(CONTENT.subarray(first, last + 1));
  });

  test('conditions, ranges beyond the end, and HEAD', async () => {
    await using crib = await serving();
    const { id, hash } = await crib.store.put(CONTENT, PDF);
    const ask = (headers: Record<string, string>, method = 'GET') =>
      crib.endpoint.request(`/api/v1/artifacts/${id}`, { headers, method });
    const unchanged = await ask({ 'if-none-match': `W/"${hash}"` });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    for (const known of ['*', `"other", "${hash}"`])
      expect((await ask({ 'if-none-match': known })).status).toBe(304);
    expect((await ask({ 'if-none-match': '"other"' }, 'HEAD')).status).toBe(200);
    for (const range of ['bytes=5-4', 'bytes=-', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b']) {
      const ignored = await ask({ range });
      expect([ignored.status, (await ignored.arrayBuffer()).byteLength]).toEqual([200, 100_000]);
    }
    expect((await ask({ range: 'bytes=-0' })).status).toBe(416);
    const beyond = await ask({ range: 'bytes=100000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */100000']);
    const changed = await ask({ range: 'bytes=0-1', 'if-range': '"other"' });
    expect([changed.status, (await changed.arrayBuffer()).byteLength]).toEqual([200, 100_000]);
    const same = await ask({ range: 'bytes=0-1', 'if-range': `"${hash}"` });
    expect(same.status).toBe(206);
    const head = await ask({ range: 'bytes=0-1' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '100000', '']);
  });

  test('what says it is something else than a media type is bytes', async () => {
    await using crib = await serving();
    const { id } = await crib.store.put(CONTENT, { mimeType: 'text/html; charset=x\u0001', name: '' });
    const response = await crib.endpoint.request(`/api/v1/artifacts/${id}`);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    await response.body?.cancel();
  });
});

describe('whose artifacts they are', () => {
  test('a user reads, lists and removes the own ones only', async () => {
    await using crib = await serving(user('ann'));
    const own = await ownedArtifacts(crib.store, user('ann')).put(CONTENT, PDF);
    const other = await ownedArtifacts(crib.store, user('bob')).put(CONTENT, PDF);
    const { endpoint } = crib;
    expect(await endpoint.json('/api/v1/artifacts', asUser)).toEqual([
      200,
      { artifacts: [expect.objectContaining({ id: own.id, hash: own.hash, size: 100_000 })] },
    ]);
    expect(JSON.stringify(await endpoint.json('/api/v1/artifacts', asUser))).not.toContain('owner');
    for (const method of ['GET', 'DELETE']) {
      const refused = await endpoint.json(`/api/v1/artifacts/${other.id}`, { ...asUser, method });
      expect(refused).toMatchObject([404, { error: { code: 'not_found' } }]);
    }
    const removed = await endpoint.request(`/api/v1/artifacts/${own.id}`, { ...asUser, method: 'DELETE' });
    expect([removed.status, await removed.text()]).toEqual([204, '']);
    expect(await crib.store.open(own.id)).toBeUndefined();
    expect(await crib.store.open(other.id)).toBeDefined();
  });

  test('the operator finds those of a user, and whoever is a user nothing of another', async () => {
    await using crib = await serving();
    const ann = await ownedArtifacts(crib.store, user('ann')).put(CONTENT, PDF);
    const bob = await ownedArtifacts(crib.store, user('bob')).put(CONTENT, { ...PDF, name: 'Other.pdf' });
    const found = async ({ endpoint }: Pick<typeof crib, 'endpoint'>, query: string, options = {}) => {
      const [, body] = await endpoint.json(`/api/v1/artifacts?${query}`, options);
      return (body as { artifacts: { id: string }[] }).artifacts.map(({ id }) => id);
    };
    expect(await found(crib, 'user=ann')).toEqual([ann.id]);
    expect(await found(crib, 'q=OTHER')).toEqual([bob.id]);
    expect(await found(crib, 'q=other&user=ann')).toEqual([]);
    await using own = await serving(user('ann'), {
      artifacts: async (principal) => ownedArtifacts(crib.store, principal),
    });
    expect(await found(own, 'user=bob', asUser)).toEqual([]);
    expect(await found(own, 'q=other', asUser)).toEqual([]);
    expect(await found(own, 'user=ann', asUser)).toEqual([ann.id]);
  });

  test.each<Partial<Principal>>([{ maxAccess: 'read' }, { sources: ['pets'] }])(
    'a credential with %j removes none',
    async (limits) => {
      const ann = { ...user('ann'), ...limits };
      await using crib = await serving(ann);
      const { id } = await ownedArtifacts(crib.store, ann).put(CONTENT, PDF);
      const refused = await crib.endpoint.json(`/api/v1/artifacts/${id}`, { ...asUser, method: 'DELETE' });
      expect(refused).toMatchObject([403, { error: { code: 'admin_needed' } }]);
      expect(await crib.store.open(id)).toBeDefined();
    },
  );

  test('a credential that is limited to some sources has what such a one left', async () => {
    const limited = { ...user('ann'), sources: ['pets', 'shop'] };
    const reads = async (who: Principal) => {
      await using crib = await serving(who);
      const listed = await crib.endpoint.json('/api/v1/artifacts', asUser);
      const get = async (id: string) =>
        (await crib.endpoint.request(`/api/v1/artifacts/${id}`, asUser)).status;
      return {
        ids: (listed[1] as { artifacts: { id: string }[] }).artifacts.map(({ id }) => id).sort(),
        get: [await get(whole.id), await get(part.id)],
      };
    };
    const store = createArtifactStore(directory);
    const whole = await ownedArtifacts(store, user('ann')).put(CONTENT, PDF);
    const part = await ownedArtifacts(store, limited).put(CONTENT, PDF);
    expect(await reads(limited)).toEqual({ ids: [part.id], get: [404, 200] });
    expect(await reads({ ...limited, sources: ['shop', 'pets'] })).toEqual({
      ids: [part.id],
      get: [404, 200],
    });
    for (const sources of [['pets'], []])
      expect(await reads({ ...limited, sources })).toEqual({ ids: [], get: [404, 404] });
    expect(await reads(user('ann'))).toEqual({ ids: [part.id, whole.id].sort(), get: [200, 200] });
    expect(await reads(user('an'))).toEqual({ ids: [], get: [404, 404] });
  });

  test('a description names the call that left it, the owner only to the operator', async () => {
    const stored = ownedArtifacts(createArtifactStore(directory), user('ann'));
    const { id } = await stored.put(CONTENT, PDF);
    const ended = (call: string, principal: string, artifact: string): Event => ({
      type: 'call-completed',
      call,
      principal,
      artifact,
      organisation: 'acme',
      tool: 'files_get',
      source: 'files',
      operation: 'get',
      access: 'read',
      sequence: 1,
      time: new Date().toISOString(),
    });
    const early = { ...ended('c0', 'ann', id), time: '2026-01-01T00:00:00Z' };
    const log = [early, ended('c1', 'ann', id), ended('c2', 'bob', id), ended('c3', 'ann', 'other')];
    const events: GatewayAdmin['events'] = async (_after, query = {}) => log.filter(matches(query));
    const describedTo = async (principal?: Principal) => {
      await using crib = await serving(principal, { events });
      return await crib.endpoint.json(`/api/v1/artifacts/${id}/description`, asUser);
    };
    const [status, shown] = await describedTo(user('ann'));
    expect([status, shown]).toEqual([
      200,
      expect.objectContaining({
        ...{ id, name: PDF.name, size: 100_000 },
        call: { id: 'c1', tool: 'files_get', source: 'files', operation: 'get' },
      }),
    ]);
    expect(shown).not.toHaveProperty('owner');
    expect(await describedTo(user('bob'))).toMatchObject([404, { error: { code: 'not_found' } }]);
    expect(await describedTo()).toMatchObject([
      200,
      { id, owner: { user: 'ann', organisation: 'acme' }, call: { id: 'c2' } },
    ]);
  });

  test('the operator sees all, page by page', async () => {
    await using crib = await serving();
    const ids: string[] = [];
    for (const name of ['ann', 'bob', 'eve'])
      ids.push((await ownedArtifacts(crib.store, user(name)).put(CONTENT, PDF)).id);
    const [, first] = await crib.endpoint.json('/api/v1/artifacts?limit=2');
    const { artifacts, next } = first as { artifacts: Array<{ id: string }>; next: string };
    const [, second] = await crib.endpoint.json(`/api/v1/artifacts?limit=2&after=${next}`);
    const rest = (second as typeof first & { artifacts: Array<{ id: string }> }).artifacts;
    expect([...artifacts, ...rest].map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(second).not.toHaveProperty('next');
  });
});
