import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitOf, spawnCommand } from '../cli/spawned-command.ts';
import { servers } from '../doubles/croit/rows.ts';
import { type CroitClient, ERAS } from './support/croit-client.ts';
import { hasDocument, permittedTo, readDocument, SKIPPED } from './support/croit-document.ts';
import { type CroitGateway, startCroitGateway } from './support/croit-gateway.ts';
import { shapedOf } from './support/list-ways.ts';
import { callsAmong } from './support/requests.ts';

const SERVERS = 'ServerResource_getServers';
const DELETE_SERVER = 'ServerResource_deleteServer';

describe.skipIf(!hasDocument)(`a day with croit ${SKIPPED}`, () => {
  let crib: CroitGateway;
  beforeAll(async () => {
    crib = await startCroitGateway({
      token: 'viewer',
      document: readDocument({ rates: false }),
      source: { permissions: { probe: { ttl: '50ms' } } },
    });
  });
  afterAll(() => crib?.close());

  const sent = () => callsAmong(crib.croit.requests);
  const idsOf = (rows: readonly Record<string, unknown>[] = []) => rows.map(({ id }) => id);

  it.each(ERAS)('%s: finds a list, filters it, and reads a summary down to its rows', async (era) => {
    const client = await crib.connect({ era, topology: 'hybrid' });
    const found = await client.call('list_endpoints', { search: 'list all servers', intent: 'read' });
    expect(found.text).toContain(`${SERVERS} GET /servers`);

    const listed = shapedOf(await client.call('call_endpoint', { operation: SERVERS }));
    expect(idsOf(listed.data)).toEqual(idsOf(servers().slice(0, 25)));

    const failed = servers().filter(({ status }) => status === 'error');
    const filtered = shapedOf(
      await client.call('call_endpoint', { operation: SERVERS, filters: { status: 'error' } }),
    );
    expect([filtered.total_count, idsOf(filtered.data)]).toEqual([failed.length, idsOf(failed)]);

    const all = shapedOf(await client.call('call_endpoint', { operation: SERVERS, filters: { id: '>0' } }));
    expect(all).toMatchObject({ total_count: 1000, returned_count: 0, response_id: expect.any(String) });
    expect(all.summary).toMatchObject({ by_status: { error: 20 }, available_fields: expect.any(Array) });

    crib.croit.forget();
    const { response_id } = all;
    const down = shapedOf(
      await client.call('query_result', {
        response_id,
        filters: { 'services.mon.running': 1, status: '!=ok' },
        fields: ['id', 'health.freeRam'],
      }),
    );
    const expected = servers().filter((row, index) => index % 10 === 0 && row['status'] !== 'ok');
    expect(down.data ?? []).toEqual(
      expected.map(({ id, health }) => ({
        id,
        health: { freeRam: (health as { freeRam: number }).freeRam },
      })),
    );
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = shapedOf(
        await client.call('search_last_result', { response_id, fields: ['id'], ...(cursor && { cursor }) }),
      );
      seen.push(...idsOf(page.data));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(idsOf(servers()));
    expect(sent()).toEqual([]);

    const unknown = await client.call('query_result', { response_id: '00000000000000000000000000000000' });
    expect(unknown.code).toBe('response_unknown');
  });

  it('refuses what the account may not, before anything is sent', async () => {
    const client = await crib.connect({ topology: 'hybrid' });
    crib.croit.forget();
    const refused = await client.call('call_endpoint', { operation: DELETE_SERVER, arguments: { id: 1 } });
    expect(refused.code).toBe('operation_unknown');
    const direct = await client.call(DELETE_SERVER, { id: 1 });
    expect([direct.code, direct.text]).toEqual(['tool_forbidden', expect.stringContaining('needs admin')]);
    expect(sent()).toEqual([]);
  });

  it.each(ERAS)('%s: other roles are other tools, and followers are told', async (era) => {
    const client = await crib.connect({ era, topology: 'flat', follows: true, name: `follower ${era}` });
    expect(await client.names()).not.toContain(DELETE_SERVER);
    const more = client.listChanged();
    crib.croit.setRoles('viewer', ['VIEWER', 'Administrator']);
    await expect.poll(client.names).toContain(DELETE_SERVER);
    await more;
    const fewer = client.listChanged();
    crib.croit.setRoles('viewer', ['VIEWER']);
    await expect.poll(client.names).not.toContain(DELETE_SERVER);
    await fewer;
    const { code } = await client.call(DELETE_SERVER, { id: 1 });
    expect(code).toBe('tool_forbidden');
  });

  it('roles count at the call itself, whatever the list said', async () => {
    const client = await crib.connect({ topology: 'base' });
    crib.croit.setRoles('viewer', ['ADMIN']);
    const asked = { operation: DELETE_SERVER, arguments: { id: 1 } };
    await expect
      .poll(async () => (await client.call('call_api_endpoint', asked)).code)
      .toBe('approval_required');
    crib.croit.setRoles('viewer', []);
    await expect
      .poll(async () => (await client.call('call_api_endpoint', asked)).code)
      .toBe('operation_unknown');
    crib.croit.setRoles('viewer', ['VIEWER']);
  });

  it.each(ERAS)('%s: what is found is listed to clients that follow their list', async (era) => {
    const follower = await crib.connect({ era, topology: 'discover', follows: true, name: `finder ${era}` });
    const found = era === ERAS[0] ? ['PoolResource_getPools', SERVERS] : ['TaskResource_getAllTasks'];
    const before = await follower.names();
    expect(before).toEqual(expect.arrayContaining(['call_tool', 'ceph_discover']));
    expect(await follower.call('ceph_discover', { query: 'list pools' })).toMatchObject({ isError: false });
    expect(await follower.names()).toEqual(before);
    const more = follower.listChanged();
    const { text } = await follower.call('ceph_discover', { activate: found });
    expect(text).toContain('Listed as tools from now on');
    await more;
    expect(await follower.names()).toEqual([...before, ...found].sort());
    const hidden = await follower.call('ceph_discover', { activate: [DELETE_SERVER] });
    expect(hidden.code).toBe('operation_unknown');
    if (era === ERAS[0]) return;
    const plain = await crib.connect({ era, topology: 'discover', name: 'plain finder' });
    const told = await plain.call('ceph_discover', { activate: ['ServiceResource_getAllServices'] });
    expect(told.text).toContain('does not follow changes');
    expect(await plain.names()).not.toContain('ServiceResource_getAllServices');
  });

  describe('the feature daos', () => {
    let daos: readonly string[];
    let flat: CroitClient;
    let base: CroitClient;
    beforeAll(async () => {
      const document = readDocument();
      daos = Object.entries(document.paths).flatMap(([, item]) =>
        Object.values(item)
          .filter(({ tags, 'x-required-permissions': [role] = ['viewer'] }) => {
            return tags?.includes('daos') && role === 'viewer';
          })
          .map(({ operationId }) => operationId),
      );
      flat = await crib.connect({ topology: 'flat', follows: true, name: 'feature follower' });
      base = await crib.connect({ topology: 'base', era: '2025-11-25' });
    });

    const command = async (...words: string[]) => {
      const child = spawnCommand(['features', ...words], { cwd: crib.folder });
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += String(chunk);
      });
      child.stderr.on('data', (chunk) => {
        out += String(chunk);
      });
      return [await exitOf(child), out];
    };
    const switchOver = async (enabled: boolean | null) =>
      fetch(new URL('/api/v1/features/ceph.daos', crib.url), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ enabled }),
      });
    const permitted = () => permittedTo('viewer', readDocument()).length;

    it('is off: its operations are nowhere', async () => {
      expect(await flat.names()).toHaveLength(permitted());
      const { code } = await base.call('call_api_endpoint', { operation: daos[0] });
      expect(code).toBe('operation_unknown');
      const { text } = await base.call('list_api_endpoints', { search: 'daos pools', limit: 50 });
      expect(text).not.toMatch(/\/daos/);
    });

    it('is switched on at the command line, and off and back over HTTP, without a restart', async () => {
      expect(daos.length).toBeGreaterThan(10);
      const more = flat.listChanged();
      expect(await command('on', 'ceph.daos')).toEqual([0, 'ceph.daos is on.\n']);
      await more;
      await expect.poll(async () => (await flat.names()).length).toBe(permitted() + daos.length);
      expect(await flat.names()).toEqual(expect.arrayContaining([...daos]));
      crib.croit.forget();
      const { isError } = await base.call('call_api_endpoint', { method: 'GET', path: '/daos' });
      expect([isError, sent().map(({ target }) => target)]).toEqual([false, ['/api/daos']]);

      const fewer = flat.listChanged();
      expect((await switchOver(false)).status).toBe(200);
      await fewer;
      expect(await flat.names()).toHaveLength(permitted());
      expect((await switchOver(true)).status).toBe(200);
      expect(await flat.names()).toHaveLength(permitted() + daos.length);
      expect(await (await switchOver(null)).json()).toMatchObject({ name: 'ceph.daos', enabled: false });
      expect(await flat.names()).toHaveLength(permitted());
    });
  });
});
