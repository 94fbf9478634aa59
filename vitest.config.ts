import { defineConfig } from 'vitest/config'

/** Rooms whose tests hold no state and start nothing: their files share what a worker has loaded. */
const PURE = ['src/{async,domain,render,wire}/**/*.test.{ts,tsx}']

const limits = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    // Much of the waiting is for disks, chains and other processes: a third file goes on meanwhile.
    maxWorkers: 3,
    projects: [
      { test: { name: 'pure', include: PURE, isolate: false, ...limits } },
      {
        test: {
          name: 'real',
          include: ['src/**/*.test.{ts,tsx}', '{bench,drills,sandbox,test}/**/*.test.ts'],
          exclude: PURE,
          globalSetup: [
            'test/support/global-version.ts',
            'test/support/global-guard.ts',
            'test/support/global-postgres.ts',
            'test/support/global-chains.ts',
          ],
          ...limits,
        },
      },
    ],
  },
})
