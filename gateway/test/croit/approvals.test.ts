import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '../approved-calls.ts';
import { type CroitClient, ERAS, type Era } from './support/croit-client.ts';
import { hasDocument, partOf, readDocument, SKIPPED } from './support/croit-document.ts';
import { type CroitGateway, startCroitGateway } from './support/croit-gateway.ts';
import { callsAmong } from './support/requests.ts';

const DELETE_SERVER = 'ServerResource_deleteServer';
const DELETE_POOL = 'PoolResource_deletePool';

/** A delete of a server through the tools of one topology. */
interface Way {
  readonly topology: string;
  readonly call: (
    client: CroitClient,
    id: number,
    meta?: Readonly<Record<string, unknown>>,
  ) => ReturnType<CroitClient['call']>;
  /** Another operation through the same tool. */
  readonly other: (
    client: CroitClient,
    meta: Readonly<Record<string, unknown>>,
  ) => ReturnType<CroitClient['call']>;
}

const any = (topology: string, tool: string, name: string): Way => ({
  topology,
  call: (client, id, meta) =>
    client.call(tool, { [name]: DELETE_SERVER, arguments: { id } }, meta === undefined ? {} : { meta }),
  other: (client, meta) =>
    client.call(
      tool,
      { [name]: DELETE_POOL, arguments: { name: 'pool-0001', body_name: 'pool-0001' } },
      { meta },
    ),
});
const WAYS: readonly Way[] = [
  {
    topology: 'categories',
    call: (client, id, meta) =>
      client.call(
        'manage_servers',
        { action: 'delete', resource_id: id },
        meta === undefined ? {} : { meta },
      ),
    other: (client, meta) =>
      client.call('manage_servers', { action: 'redetectHardware', resource_id: 1 }, { meta }),
  },
  any('hybrid', 'call_endpoint', 'operation'),
  any('base', 'call_api_endpoint', 'operation'),
  any('search', 'call_tool', 'name'),
  any('discover', 'call_tool', 'name'),
];
/** Each with servers of its own: equal calls of one caller may share an approval. */
const CASES = WAYS.flatMap((way, index) =>
  ERAS.map((era, second) => [way.topology, era, way, 10 * (2 * index + second) + 10] as const),
);

describe.skipIf(!hasDocument)(`approvals of calls through a topology's own tools ${SKIPPED}`, () => {
  let crib: CroitGateway;
  beforeAll(async () => {
    crib = await startCroitGateway({
      document: partOf(readDocument({ rates: false }), /^\/(servers|pools)/),
    });
  });
  afterAll(() => crib?.close());
  beforeEach(() => crib.croit.forget());

  const sent = () => callsAmong(crib.croit.requests).map(({ method, target }) => `${method} ${target}`);
  const connect = (topology: string, era: Era) =>
    crib.connect({ topology, era, name: `${topology} ${era} approvals` });
  const approve = async (approval: unknown) =>
    (await crib.gateway.approvals()).decide(String(approval), { decision: 'approve' }, PERSON);

  it.each(CASES)(
    '%s, %s: asks, and the same call goes through once a person agreed, once',
    async (topology, era, way, first) => {
      const client = await connect(topology, era);
      const asked = await way.call(client, first);
      expect(asked.code).toBe('approval_required');
      const { approval } = asked.details;
      const record = await (await crib.gateway.approvals()).get(String(approval), PERSON as never);
      expect(record).toMatchObject({ source: 'ceph', operation: DELETE_SERVER, preview: { id: first } });
      expect(sent()).toEqual([]);
      await approve(approval);
      expect((await way.call(client, first)).isError).toBe(false);
      expect(sent()).toEqual([`DELETE /api/servers/${first}`]);
      expect((await way.call(client, first)).code).toBe('approval_required');
      expect(sent()).toHaveLength(1);
    },
  );

  it.each(CASES)(
    '%s, %s: what was agreed to holds for no other arguments',
    async (topology, era, way, first) => {
      const client = await connect(topology, era);
      const { details } = await way.call(client, first + 1);
      await approve(details['approval']);
      expect((await way.call(client, first + 2)).code).toBe('approval_required');
      const named = { 'toolcrib/approval': details['approval'] };
      expect((await way.call(client, first + 2, named)).code).toBe('approval_void');
      expect((await way.call(client, first + 1, named)).code).toMatch(/^approval_/);
      expect(sent()).toEqual([]);
    },
  );

  it.each(CASES)('%s, %s: nor for another operation of the same tool', async (topology, era, way, first) => {
    const client = await connect(topology, era);
    const { details } = await way.call(client, first + 3);
    await approve(details['approval']);
    const other = await way.other(client, { 'toolcrib/approval': details['approval'] });
    expect(other.code).toBe('approval_void');
    expect(sent()).toEqual([]);
  });

  it('an approval of an account that lost its role leads to no call', async () => {
    const losing = await startCroitGateway({
      document: partOf(readDocument({ rates: false }), /^\/(servers|pools)/),
      configuration: { store: 'none' },
      source: { permissions: { probe: { ttl: '50ms' } } },
    });
    try {
      const client = await losing.connect({ topology: 'hybrid' });
      const call = () => client.call('call_endpoint', { operation: DELETE_SERVER, arguments: { id: 5 } });
      const { details } = await call();
      await (await losing.gateway.approvals()).decide(
        String(details['approval']),
        { decision: 'approve' },
        PERSON,
      );
      losing.croit.setRoles('admin', ['VIEWER']);
      const viewer = await losing.connect({ topology: 'flat' });
      await expect.poll(viewer.names).not.toContain(DELETE_SERVER);
      expect((await call()).code).toBe('operation_unknown');
      expect(callsAmong(losing.croit.requests)).toEqual([]);
    } finally {
      await losing.close();
    }
  });
});
