import { describe, it } from 'vitest';
import { canIsolate, has } from '../executors/script/support.ts';
import { checkRow, scriptRows } from './script-rows/check-row.ts';

// The quick half of the rows; `test/skills-ci` runs all of them both ways, and those alone that start a storm of processes,
// which the tests beside them would not get through.
const bash = await has('bash');
const python = await has('python3');
const rows = scriptRows().filter(
  ({ lang }) => lang === 'node' || lang === 'missing' || (lang === 'bash' ? bash : python),
);
const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux)('nobody is left behind, without isolation', () => {
  const detached = rows.filter(({ group }) => group === 'orphans');
  it.concurrent.each(detached.map((row) => [row.why, row] as const))('%s', (_why, row) =>
    checkRow(row, false),
  );
});

describe.skipIf(!canIsolate)('nothing is reached, in isolation', () => {
  const reaching = rows.filter(({ group }) => ['env', 'files', 'network'].includes(group));
  it.concurrent.each(reaching.map((row) => [row.why, row] as const))('%s', (_why, row) =>
    checkRow(row, true),
  );
});
