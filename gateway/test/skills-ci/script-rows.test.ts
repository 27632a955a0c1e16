import { describe, it } from 'vitest';
import { canIsolate } from '../executors/script/support.ts';
import { checkRow, scriptRows } from '../security/script-rows/check-row.ts';

const rows = scriptRows().map((row) => [row.id, row.why, row] as const);

describe.skipIf(!canIsolate)('hostile scripts, isolated', () => {
  it.each(rows)('%s: %s', (_id, _why, row) => checkRow(row, true));
});

describe('hostile scripts, not isolated', () => {
  const free = rows.filter(([, , row]) => !row.expect.sandbox);
  it.each(free)('%s: %s', (_id, _why, row) => checkRow(row, false));
});
