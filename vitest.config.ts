import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// No test writes into the state folder of whoever runs it, and what tests and processes that they kill leave behind in
// temporary folders goes with the run.
const run = mkdtempSync(join(tmpdir(), 'toolcrib-tests-'));
const state = join(run, 'state');
const temporary = join(run, 'tmp');
for (const folder of [state, temporary]) mkdirSync(folder);
process.on('exit', () => {
  // read-only copies of skills, of processes that were killed
  if (process.platform !== 'win32') spawnSync('chmod', ['-R', 'u+rwX', run]);
  rmSync(run, { recursive: true, force: true });
});

const shared = {
  root: 'gateway',
  env: { XDG_STATE_HOME: state, LOCALAPPDATA: state, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  // many times what a test takes: a slow machine is no fault, and what hangs is still found
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // a worker loads the code once for all of its files, which halves the whole; what a file changes, it puts back
  isolate: false,
  // MiB: with the 16 that Node takes, a worker of many files spends a tenth more on what lives for one test
  execArgv: ['--max-semi-space-size=64'],
};

/** Files that replace modules, or need a process in which nothing happened before, have a worker of their own. */
const ISOLATED = ['test/**/*.isolated.test.ts'];

/** Connectors end to end, and every operation of all that there are: minutes, which `.ci/run azure` takes. */
const AZURE = ['test/azure-conformance/**/*.test.ts', 'test/azure-seed/*.test.ts'];

/** Skills end to end and under load: programs, sandboxes and a model, which `.ci/run skills` takes. */
const SKILLS = ['test/skills-ci/**/*.test.ts'];

export default defineConfig({
  test: {
    // the default leaves one processor alone, which is half of a small machine; one more than there are, since many tests
    // wait for processes and timers
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'gateway',
          include: ['test/**/*.test.ts'],
          exclude: ['test/croit/**', ...ISOLATED, ...AZURE, ...SKILLS],
        },
      },
      { test: { ...shared, name: 'isolated', include: ISOLATED, isolate: true } },
      // a document that the project does not ship: every test of it skips where it is absent
      { test: { ...shared, name: 'croit', include: ['test/croit/**/*.test.ts'] } },
      { test: { ...shared, name: 'azure', include: AZURE } },
      { test: { ...shared, name: 'skills', include: SKILLS } },
      { test: { ...shared, root: 'console', name: 'console', include: ['test/unit/**/*.test.{ts,tsx}'] } },
      // a real browser, which `.ci/run console` installs
      {
        test: {
          ...shared,
          root: 'console',
          name: 'console-browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: join(import.meta.dirname, 'console/test/browser/support/build-console.ts'),
          // for a browser on a slow machine: what hangs is still found
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
