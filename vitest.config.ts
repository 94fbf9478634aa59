import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What starts whole programs goes first: the longest files are among it, and none of them is left for the end. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isBesideCode = ({ moduleId }: TestSpecification): boolean =>
      moduleId.startsWith(`${import.meta.dirname}/src/`)
    return [...sorted.filter((file) => !isBesideCode(file)), ...sorted.filter(isBesideCode)]
  }
}

/** The pages' own markup, as it is in the sources. Packages name sources of their own `source`. */
const resolve = { conditions: ['tollbook-source', ...defaultServerConditions] }

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    include: ['src/**/*.test.{ts,tsx}', '{bench,drills,sandbox,test}/**/*.test.ts'],
    // Files share what a worker has loaded, so they leave nothing behind in their process.
    isolate: false,
    // Much of the waiting is for disks, chains and other processes: more files than processors go on meanwhile.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: ProgramsFirst },
    // Once a run, in this order.
    globalSetup: ['guard', 'version', 'chains', 'citus', 'postgres', 'stores'].map(
      (name) => `test/support/global-${name}.ts`,
    ),
  },
})
