import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

/** Rooms whose tests leave nothing behind in the process: their files share what a worker has loaded. */
const SHARED = [
  'src/{acts,async,cli,client,domain,http,ingest,log,mcp,probe,render,store,views,wire}/**/*.test.{ts,tsx}',
]

const limits = { testTimeout: 60_000, hookTimeout: 60_000 }
/** The pages' own markup, as it is in the sources. Packages name sources of their own `source`. */
const resolve = { conditions: ['tollbook-source', ...defaultServerConditions] }
/** Once a run, in this order. */
const globalSetup = ['guard', 'version', 'chains', 'citus', 'postgres', 'stores'].map(
  (name) => `test/support/global-${name}.ts`,
)

export default defineConfig({
  test: {
    // Much of the waiting is for disks, chains and other processes: a third file goes on meanwhile.
    maxWorkers: 3,
    globalSetup,
    projects: [
      {
        resolve,
        ssr: { resolve },
        test: { name: 'shared', include: SHARED, isolate: false, ...limits },
      },
      {
        resolve,
        ssr: { resolve },
        test: {
          name: 'alone',
          include: ['src/**/*.test.{ts,tsx}', '{bench,drills,sandbox,test}/**/*.test.ts'],
          exclude: SHARED,
          ...limits,
        },
      },
    ],
  },
})
