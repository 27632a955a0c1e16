import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { download } from '../doubles/croit/answers.ts';
import { audit } from '../doubles/croit/rows.ts';
import type { CroitClient } from './support/croit-client.ts';
import { hasDocument, partOf, readDocument, SKIPPED } from './support/croit-document.ts';
import { type CroitGateway, startCroitGateway } from './support/croit-gateway.ts';
import { shapedOf } from './support/list-ways.ts';
import { callsAmong } from './support/requests.ts';

const UUID = '01234567-89ab-4cde-8f01-23456789abcd';

describe.skipIf(!hasDocument)(`the traps of the document, on the wire ${SKIPPED}`, () => {
  let crib: CroitGateway;
  let callers: ReadonlyArray<
    readonly [string, (id: string, args: object) => ReturnType<CroitClient['call']>]
  >;
  let base: CroitClient;
  beforeAll(async () => {
    crib = await startCroitGateway({
      document: partOf(
        readDocument({ rates: false }),
        /^\/(api-tokens|audit|maintenance|tasks|disks|servers|extra-files|daos|cephfs|download|images)/,
      ),
      source: { features: { daos: { enabled: true } } },
    });
    const connect = (topology: string, era: '2025-11-25' | '2026-07-28') =>
      crib.connect({ topology, era, person: () => 'approve' });
    const flat = await connect('flat', '2026-07-28');
    const hybrid = await connect('hybrid', '2025-11-25');
    const search = await connect('search', '2026-07-28');
    base = await connect('base', '2026-07-28');
    callers = [
      ['flat', (id, args) => flat.call(id, args)],
      ['hybrid', (operation, args) => hybrid.call('call_endpoint', { operation, arguments: args })],
      ['search', (name, args) => search.call('call_tool', { name, arguments: args })],
      ['base', (operation, args) => base.call('call_api_endpoint', { operation, arguments: args })],
    ];
  });
  afterAll(() => crib?.close());
  beforeEach(() => crib.croit.forget());

  const last = () => callsAmong(crib.croit.requests).at(-1)!;

  it.each([
    ['ApiTokenResource_deleteApiToken', { id: 7 }, 'DELETE', '/api/api-tokens/7'],
    ['MaintenanceResource_downloadBackupFile', {}, 'GET', '/api/maintenance/backup'],
    ['TaskResource_cancelTask', { id: 7 }, 'POST', '/api/tasks/7/cancel'],
  ])('%s: a body that is required and has no content is not sent', async (id, args, method, target) => {
    for (const [topology, call] of callers) {
      await call(id, args);
      const request = last();
      expect([topology, request.method, request.target]).toEqual([topology, method, target]);
      expect([request.body.length, request.headers['content-type']]).toEqual([0, undefined]);
    }
  });

  it('a delete with a body has one', async () => {
    const disks = [{ disk: 52, server: 1, serial: 'x', destroy: true }];
    for (const [topology, call] of callers) {
      const { isError } = await call('DiskResource_wipeDisksRequest', { disks });
      const { method, target, headers, body } = last();
      expect([topology, isError, method, target]).toEqual([topology, false, 'DELETE', '/api/disks/wipe']);
      expect(headers['content-type']).toBe('application/json');
      expect(JSON.parse(body.toString('utf8'))).toEqual({ disks });
    }
  });

  it('pagination is one JSON text, whatever stands in it', async () => {
    const pagination = {
      limit: 2,
      after: 1,
      where: { _and: [{ hostname: { _contains: '-00' } }, { _not: { status: { _eq: 'a&b=c' } } }] },
      sortBy: [{ column: 'id', order: 'DESC' }],
    };
    for (const [topology, call] of callers) {
      const { isError } = await call('ServerResource_getServers', { pagination });
      const { query } = last();
      expect([topology, isError, query]).toEqual([
        topology,
        false,
        [['pagination', JSON.stringify(pagination)]],
      ]);
    }
  });

  it('a value with slashes stays in its place, also where the path is written out', async () => {
    const target = '/api/extra-files/etc%2Fceph%2Fa%20b.svg';
    for (const [topology, call] of callers) {
      await call('ExtraFileResource_downloadExtraFile', { path: 'etc/ceph/a b.svg' });
      expect([topology, last().target]).toEqual([topology, target]);
    }
    for (const path of ['/extra-files/etc/ceph/a b.svg', '/extra-files/etc%2Fceph%2Fa%20b.svg']) {
      await base.call('call_api_endpoint', { method: 'GET', path });
      expect([path, last().target]).toEqual([path, target]);
    }
  });

  it.each(['../users', '..', 'a/../../auth/token-info', '%2e%2e/users'])(
    'a value %j that climbs is refused before anything is sent',
    async (path) => {
      for (const [topology, call] of callers) {
        const { code } = await call('ExtraFileResource_downloadExtraFile', { path });
        expect([topology, code]).toEqual([topology, 'arguments_invalid']);
      }
      expect(callsAmong(crib.croit.requests)).toEqual([]);
    },
  );

  it('limit and offset are two parameters elsewhere; by cursors every row comes once', async () => {
    await base.call('call_api_endpoint', { operation: 'AuditResource_getAuditLogs' });
    expect(last().target).toBe('/api/audit?limit=50');
    const seen: unknown[] = [];
    const targets: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { _fields: ['id'], _limit: 170, ...(cursor && { _cursor: cursor }) };
      const answer = await base.call('call_api_endpoint', {
        operation: 'AuditResource_getAuditLogs',
        arguments: args,
      });
      const { data = [], next_cursor } = shapedOf(answer);
      seen.push(...data.map(({ id }) => id));
      targets.push(last().target);
      cursor = next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(audit().map(({ id }) => id));
    expect(targets.slice(0, 2)).toEqual(['/api/audit?limit=170', '/api/audit?limit=170&offset=170']);
  });

  it('a filter sees a page of 100 there, says so, and more pages where they are asked for', async () => {
    const failed = audit().filter(({ status }) => status === 500);
    const call = (more: object) =>
      base.call('call_api_endpoint', {
        operation: 'AuditResource_getAuditLogs',
        arguments: { _filter_status: 500, _fields: ['id'], ...more },
      });
    const one = shapedOf(await call({}));
    expect(one.data).toEqual(failed.slice(0, 2).map(({ id }) => ({ id })));
    expect(one.notes?.join(' ')).toContain('The filter saw the 100 rows of this page only');
    const five = shapedOf(await call({ _pages: 5 }));
    expect(five.data).toEqual(failed.slice(0, 10).map(({ id }) => ({ id })));
  });

  it('a parameter inside a segment', async () => {
    const path = '/daos/1/certs/2/daos-configs.zip';
    await base.call('call_api_endpoint', { method: 'GET', path });
    expect(last().target).toBe(`/api${path}`);
  });

  it.each([
    ['CephFsListingResource_downloadCephFsFile', { path: '/a/b' }, 'file.bin'],
    ['MaintenanceResource_downloadBackupFile', {}, 'backup.tar'],
    ['DownloadResource_download', { token: UUID, fileName: 'x.bin' }, 'download.bin'],
    ['ImageResource_downloadImage', { image: UUID, file: 'kernel' }, 'kernel'],
    ['ExtraFileResource_downloadExtraFile', { path: 'a/logo.svg' }, 'logo.svg'],
  ])('%s: a stream is kept as it came, and linked', async (id, args, fileName) => {
    for (const [topology, call] of callers) {
      const { isError, links, text } = await call(id, args);
      expect([topology, isError, links.length, text.length < 2000]).toEqual([topology, false, 1, true]);
      const { contents } = await base.client.readResource({ uri: links[0]! });
      const [content] = contents as { blob: string }[];
      expect(Buffer.from(content!.blob, 'base64')).toEqual(download(fileName).body);
    }
  });
});
