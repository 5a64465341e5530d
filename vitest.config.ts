import { defineConfig } from 'vitest/config';

const host = ['packages/*/src/**/*.host.test.ts', 'e2e/**/*.host.test.ts'];

// What is waited for comes when it comes, on a busy machine too.
const expect = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    // One worker fewer than processors, as it would be otherwise, is a single one on a small machine.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: 'scripts/temporary.ts',
          include: ['packages/*/src/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: host,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect,
        },
      },
      {
        test: {
          name: 'e2e',
          globalSetup: 'scripts/temporary.ts',
          include: ['e2e/**/*.test.ts'],
          exclude: host,
          testTimeout: 120_000,
          hookTimeout: 300_000,
          expect,
        },
      },
      // As root, in a sandbox (scripts/test-host.ts), one file at a time.
      {
        test: {
          name: 'host',
          include: host,
          setupFiles: ['e2e/sandboxed.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          expect,
        },
      },
    ],
  },
});
