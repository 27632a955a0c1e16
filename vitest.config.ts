import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// No test writes into the state folder of whoever runs it.
const state = mkdtempSync(join(tmpdir(), 'toolcrib-test-state-'));

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'gateway',
          root: 'gateway',
          include: ['test/**/*.test.ts'],
          env: { XDG_STATE_HOME: state, LOCALAPPDATA: state },
          testTimeout: 20_000,
          hookTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
