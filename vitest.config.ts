import { defineConfig } from 'vitest/config';

const host = ['packages/*/src/**/*.host.test.ts', 'e2e/**/*.host.test.ts'];
// What takes long is no part of `npm test`: `npm run e2e` runs it as well.
const long = process.env.NOVA_TEST_LONG === 'true' ? [] : ['e2e/**/*.long.host.test.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: host,
        },
      },
      {
        test: { name: 'e2e', include: ['e2e/**/*.test.ts'], exclude: host, testTimeout: 120_000, hookTimeout: 300_000 },
      },
      // These change the host's networks: as root, one file at a time.
      {
        test: {
          name: 'host',
          include: host,
          exclude: long,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
