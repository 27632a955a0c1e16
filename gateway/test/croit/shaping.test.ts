import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pools, ROW_COUNT } from '../doubles/croit/rows.ts';
import type { CroitClient } from './support/croit-client.ts';
import { hasDocument, partOf, readDocument, SKIPPED } from './support/croit-document.ts';
import { type CroitGateway, startCroitGateway } from './support/croit-gateway.ts';
import { type ListWay, listWays, POOLS, shapedOf } from './support/list-ways.ts';
import { callsAmong } from './support/requests.ts';

type Pool = Readonly<{
  name: string;
  poolId: number;
  description: string;
  erasureCoding: boolean;
  status: string;
  pgNum: number;
  pgpNum: number | null;
  application: string | null;
  percent_used: number;
  stats: { readonly bytes: number };
  hints: ReadonlyArray<{ readonly message: string }>;
}>;
const ROWS = pools() as unknown as readonly Pool[];

/** Every form of a filter, and what it means. */
const FILTERS: ReadonlyArray<readonly [string, unknown, (row: Pool) => boolean]> = [
  ['status', 'error', ({ status }) => status === 'error'],
  ['poolId', 7, ({ poolId }) => poolId === 7],
  ['poolId', '7', ({ poolId }) => poolId === 7],
  ['erasureCoding', true, ({ erasureCoding }) => erasureCoding],
  ['status', ['error', 'warning'], ({ status }) => status !== 'active'],
  ['name', '~^POOL-00[01]\\d$', ({ poolId }) => poolId < 20],
  ['poolId', '>990', ({ poolId }) => poolId > 990],
  ['poolId', '>=990', ({ poolId }) => poolId >= 990],
  ['poolId', '<5', ({ poolId }) => poolId < 5],
  ['poolId', '<=5', ({ poolId }) => poolId <= 5],
  ['status', '!=active', ({ status }) => status !== 'active'],
  ['status', '=error', ({ status }) => status === 'error'],
  ['name__contains', 'L-099', ({ name }) => name.includes('l-099')],
  ['percent_used__gt', 97, ({ percent_used }) => percent_used > 97],
  ['percent_used__gte', '97', ({ percent_used }) => percent_used >= 97],
  ['poolId__lt', 3, ({ poolId }) => poolId < 3],
  ['poolId__lte', 3, ({ poolId }) => poolId <= 3],
  ['status__ne', 'active', ({ status }) => status !== 'active'],
  [
    'application__in',
    ['rgw', 'cephfs'],
    ({ application }) => application === 'rgw' || application === 'cephfs',
  ],
  ['stats.bytes', '>990000000', ({ stats }) => stats.bytes > 990_000_000],
  ['hints[].message', '~placement', ({ hints }) => hints.length > 0],
  ['hints.0.severity', 'WARN', ({ hints }) => hints.length > 0],
  ['_text', 'TOO FEW', ({ hints }) => hints.length > 0],
  ['_has', 'hints.0.message', ({ hints }) => hints.length > 0],
  ['_has', ['name', 'hints.0.message'], ({ hints }) => hints.length > 0],
];

const BAD_FILTERS: ReadonlyArray<readonly [string, unknown, RegExp]> = [
  ['name', '~(', /regular expression/],
  ['name', '~(?=a)', /look-around/],
  ['name', '~', /nothing stands behind/],
  ['poolId', '>many', /number or a date/],
  ['status', [], /empty/],
  ['status', { is: 'error' }, /a value is/],
  ['status__in', 5, /__in takes a list/],
  ['_has', [7], /field name/],
  ['_text', '', /1 to 1,000/],
  ['stauts', 'error', /stauts.*"status"|"status".*stauts/s],
];

const LARGEST_ANSWER = 60_000;

describe.skipIf(!hasDocument)(`lists of 1,000 rows, in every topology that shapes ${SKIPPED}`, () => {
  let crib: CroitGateway;
  let ways: readonly ListWay[];
  let base: CroitClient;
  beforeAll(async () => {
    crib = await startCroitGateway({
      token: 'viewer',
      document: partOf(readDocument({ rates: false }), /^\/(pools|servers|services|stats|disks|tasks)/),
      configuration: { store: 'none' },
    });
    ways = await listWays(crib);
    base = await crib.connect({ topology: 'base' });
  });
  afterAll(() => crib?.close());

  const sent = () => callsAmong(crib.croit.requests).map(({ target }) => decodeURIComponent(target));
  const call = (id: string, args: object = {}) =>
    base.call('call_api_endpoint', { operation: id, arguments: args });

  it.each(FILTERS)(
    '%s: %j keeps the rows that match, of all that there are',
    async (field, value, matches) => {
      const expected = ROWS.filter(matches).map(({ poolId }) => poolId);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(ROW_COUNT);
      for (const [index, { name, list }] of ways.entries()) {
        const asProperty = index % 2 === 0;
        const filters = { [field]: value };
        const answer = asProperty
          ? await list(POOLS, {}, { filters, fields: ['poolId'], limit: 1000 })
          : await list(POOLS, { [`_filter_${field}`]: value, _fields: 'poolId', _limit: 1000 });
        const { data = [], total_count } = shapedOf(answer);
        expect([name, total_count, ...data.map(({ poolId }) => poolId)]).toEqual([
          name,
          expected.length,
          ...expected,
        ]);
      }
    },
  );

  it('several filters must all match, and a field that nothing has is no surprise elsewhere', async () => {
    for (const { name, list } of ways) {
      const filters = { status: 'error', poolId: '>500' };
      const { data = [] } = shapedOf(await list(POOLS, { _filter_pgNum__gt: 8 }, { filters, limit: 100 }));
      const expected = ROWS.filter((row) => row.status === 'error' && row.poolId > 500 && row.pgNum > 8);
      expect([name, data.length]).toEqual([name, expected.length]);
    }
  });

  it.each(BAD_FILTERS)('%s: %j is a clear error', async (field, value, message) => {
    for (const { name, list } of ways) {
      crib.croit.forget();
      const { code, text } = await list(POOLS, {}, { filters: { [field]: value } });
      expect([name, code]).toEqual([name, 'filter_invalid']);
      expect(text).toMatch(message);
      if (field !== 'stauts') expect(sent()).toEqual([]);
    }
  });

  it('a limit stands where the caller says none: 10, servers and services 25, stats 50', async () => {
    const pagination = (limit: number) => `pagination={"limit":${limit}}`;
    for (const [id, target] of [
      [POOLS, `/api/pools?${pagination(10)}`],
      ['ServerResource_getServers', `/api/servers?${pagination(25)}`],
      ['ServiceResource_getAllServices', `/api/services?${pagination(25)}`],
      ['StatsResource_getPoolNames', `/api/stats/pool-names?${pagination(50)}`],
      ['DiskResource_getAllDisks', `/api/disks?${pagination(30)}`],
    ] as const) {
      crib.croit.forget();
      const { text } = await call(id);
      expect([id, ...sent()]).toEqual([id, target]);
      if (id === POOLS) expect(text).toContain('Limit in force: 10 rows a page');
    }
    for (const { name, list } of ways) {
      const { data = [], returned_count, notes = [] } = shapedOf(await list(POOLS));
      expect([name, data.length, returned_count]).toEqual([name, 10, 10]);
      expect(notes.join(' ')).toContain('The service has more rows');
    }
  });

  it('what the caller says of pages is not touched', async () => {
    crib.croit.forget();
    const pagination = { limit: 3, after: 2, where: { status: { _eq: 'active' } } };
    const { data = [] } = shapedOf(await call(POOLS, { pagination }));
    expect(data).toHaveLength(3);
    expect(sent()).toEqual([`/api/pools?pagination=${JSON.stringify(pagination)}`]);
  });

  it('only the essential fields of many rows, those asked for, or all', async () => {
    for (const { name, list } of ways) {
      const [essential] = shapedOf(await list(POOLS)).data!;
      expect([name, Object.keys(essential!)]).toEqual([
        name,
        ['name', 'poolId', 'size', 'used_bytes', 'percent_used', 'application'],
      ]);
      const [asked] = shapedOf(await list(POOLS, {}, { fields: ['name', 'stats.bytes'] })).data!;
      expect(asked).toEqual({ name: 'pool-0001', stats: { bytes: 1_000_000 } });
      const [whole] = shapedOf(await list(POOLS, {}, { fields: ['*'] })).data!;
      expect(whole).toEqual(ROWS[0]);
    }
  });

  it('no_optimize: nothing is added to the request, and every row that fits comes as it is', async () => {
    for (const { name, list } of ways) {
      crib.croit.forget();
      const { data = [] } = shapedOf(await list(POOLS, {}, { no_optimize: true }));
      expect([name, ...sent()]).toEqual([name, '/api/pools']);
      expect(data.length).toBeGreaterThan(50);
      expect(data[0]).toEqual(ROWS[0]);
    }
  });

  it('never more than 60,000 characters, whatever is asked for', async () => {
    for (const id of [POOLS, 'ServerResource_getServers', 'ServiceResource_getAllServices']) {
      for (const args of [
        { no_optimize: true },
        { _limit: 1000 },
        { _limit: 1000, _fields: '*' },
        { _filter__text: 'a', _limit: 1000, _fields: ['*'] },
        { _pages: 5, _limit: 1000 },
      ]) {
        const { text, structured, isError } = await call(id, args);
        expect([id, isError]).toEqual([id, false]);
        expect(text.length).toBeLessThanOrEqual(LARGEST_ANSWER);
        expect(JSON.stringify(structured).length).toBeLessThanOrEqual(LARGEST_ANSWER);
      }
    }
  });

  it('reads several pages with progress, each a request of its own', async () => {
    for (const topology of ['base', 'hybrid'] as const) {
      const client = await crib.connect({
        topology,
        era: topology === 'base' ? '2026-07-28' : '2025-11-25',
      });
      const progress: number[] = [];
      crib.croit.forget();
      const tool = topology === 'base' ? 'call_api_endpoint' : 'call_endpoint';
      const answer = await client.call(
        tool,
        { operation: POOLS, arguments: { _pages: 4, _limit: 100, _fields: ['poolId'] } },
        { onprogress: (one) => progress.push(one.progress) },
      );
      const { total_count, response_id } = shapedOf(answer);
      expect([total_count, sent().length]).toEqual([400, 4]);
      expect(response_id).toBeDefined();
      expect(progress).toEqual([1, 2, 3]);
    }
  });

  it('by its cursors a list is read to its end, each row once, with and without filters', async () => {
    for (const { name, list } of ways) {
      for (const filters of [undefined, { application: 'rbd' }]) {
        const seen: unknown[] = [];
        let cursor: string | undefined;
        do {
          const shape = { fields: ['poolId'], limit: 170, ...(filters && { filters }) };
          const { data = [], next_cursor } = shapedOf(
            await list(POOLS, {}, { ...shape, ...(cursor && { cursor }) }),
          );
          seen.push(...data.map(({ poolId }) => poolId));
          cursor = next_cursor;
        } while (cursor !== undefined);
        const expected = ROWS.filter(({ application }) => filters === undefined || application === 'rbd');
        expect([name, ...seen]).toEqual([name, ...expected.map(({ poolId }) => poolId)]);
      }
    }
  });

  it('a cursor of other arguments is refused, and so is one that was made up', async () => {
    const { next_cursor } = shapedOf(await call(POOLS));
    expect(next_cursor).toBeDefined();
    const other = await call('ServerResource_getServers', { _cursor: next_cursor });
    expect(other.code).toBe('cursor_invalid');
    expect((await call(POOLS, { _cursor: 'made up' })).code).toBe('cursor_invalid');
  });

  it('an offset of its own pages as well, and a list that must be paged is', async () => {
    const { data = [] } = shapedOf(await call('TaskResource_getAllTasks', { pagination: { limit: 30 } }));
    expect(data.length).toBeGreaterThan(0);
    const { code, text } = await call('TaskResource_getAllTasks');
    expect([code, text]).toEqual([undefined, expect.stringContaining('Limit in force: 10 rows')]);
  });
});
