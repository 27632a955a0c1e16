import { expect, it } from 'vitest';
import { listLimitOf } from '../../../src/topology/calling/list-limits.ts';

it.each([
  ['/pools', [], 10],
  ['/services', [], 25],
  ['/servers/{id}/stats', [], 50],
  ['/stats/servers', [], 25],
  ['/audit/logs', [], 100],
  ['/SERVERS', [], 25],
  ['/pools/{logs}', [], 10],
  ['/elsewhere', ['logs'], 100],
  ['/constructor', [], 10],
  [undefined, ['stats'], 50],
])('%s with tags %j has %d rows', (path, tags, limit) => {
  expect(listLimitOf({ tags, ...(path === undefined ? {} : { http: { method: 'GET', path } }) })).toBe(limit);
});
