import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'gateway',
          root: 'gateway',
          include: ['test/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
