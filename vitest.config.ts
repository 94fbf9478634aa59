import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'sandbox/**/*.test.ts'],
    globalSetup: [
      'test/support/global-version.ts',
      'test/support/global-guard.ts',
      'test/support/global-postgres.ts',
      'test/support/global-chains.ts',
    ],
    // Much of the waiting is for disks, chains and other processes: a second file goes on meanwhile.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
