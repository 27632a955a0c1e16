import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// No test writes into the state folder of whoever runs it.
const state = mkdtempSync(join(tmpdir(), 'toolcrib-test-state-'));

const shared = {
  root: 'gateway',
  env: { XDG_STATE_HOME: state, LOCALAPPDATA: state },
  testTimeout: 20_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 10_000 } },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'gateway',
          include: ['test/**/*.test.ts'],
          exclude: ['test/croit/**', 'test/azure-conformance/**'],
        },
      },
      // a document that the project does not ship: every test of it skips where it is absent
      { test: { ...shared, name: 'croit', include: ['test/croit/**/*.test.ts'] } },
      // every operation of every connector: what takes long, and what reads documents that the project does not ship
      { test: { ...shared, name: 'azure', include: ['test/azure-conformance/**/*.test.ts'] } },
    ],
  },
});
