import { existsSync } from 'node:fs'
import { defaultServerConditions, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Tests trust nobody outside. Node 20 reads these certificates before the first line of each program, in a tenth of a second.
delete process.env.NODE_EXTRA_CA_CERTS

/** Programs that keep a processor busy for most of their time; the others mostly wait. */
const BUSY = [
  ...['drills/drills', 'sandbox/chain/contracts', 'test/agents/mcp', 'test/agents/openapi', 'test/archive/archive'],
  ...['test/browser/pages', 'test/browser/tasks', 'test/cluster/citus', 'test/contributing/add-a-rail'],
  ...['test/contributing/add-a-source', 'test/crash/postgres', 'test/crash/sqlite', 'test/docs', 'test/guard/liars'],
  ...['test/operating/container', 'test/operating/looking', 'test/package/package', 'test/payments/chain-runs'],
  ...['test/payments/random-runs', 'test/payments/reorganised', 'test/payments/threads', 'test/probe/kill'],
  ...['test/sandbox/kill', 'test/sandbox/world', 'test/workers/workers'],
].map((name) => `${import.meta.dirname}/${name}.test.ts`)

/**
 * What starts whole programs goes first: the longest files are among it, and none of them is left for the end. Busy
 * ones stand evenly among those that wait, so that no processor is idle and none is fought for.
 */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isBesideCode = ({ moduleId }: TestSpecification): boolean =>
      moduleId.startsWith(`${import.meta.dirname}/src/`)
    const isBusy = ({ moduleId }: TestSpecification): boolean => BUSY.includes(moduleId)
    const programs = sorted.filter((file) => !isBesideCode(file))
    const waiting = programs.filter((file) => !isBusy(file))
    const placed = [waiting, programs.filter(isBusy)].flatMap((group) =>
      group.map((file, n) => ({ file, place: n / group.length })),
    )
    const mixed = placed.toSorted((one, other) => one.place - other.place).map(({ file }) => file)
    return [...mixed, ...sorted.filter(isBesideCode)]
  }
}

const BUILT = `${import.meta.dirname}/dist/`
const usesBuilt = process.env.npm_lifecycle_event === 'test'

/**
 * What `npm test` has just built serves instead of its sources, where they are not the test's own: it is loaded by Node
 * itself, in a part of the time, and is what users run. Whoever starts vitest without building gets the sources.
 */
const built: Plugin = {
  name: 'built',
  enforce: 'pre',
  apply: () => usesBuilt,
  async resolveId(source, importer, options) {
    if (importer === undefined) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (!found?.id.startsWith(`${import.meta.dirname}/`) || found.id.startsWith(BUILT)) return found
    const file = BUILT + found.id.slice(import.meta.dirname.length + 1).replace(/\.tsx?$/, '.js')
    return existsSync(file) ? { id: file } : found
  },
}

/** The pages' own markup, as it is in the sources. Packages name sources of their own `source`. */
const resolve = { conditions: [...(usesBuilt ? [] : ['tollbook-source']), ...defaultServerConditions] }

export default defineConfig({
  resolve,
  ssr: { resolve },
  plugins: [built],
  test: {
    server: { deps: { external: [new RegExp(`^${BUILT.replaceAll(/[^\w/]/g, '\\$&')}`)] } },
    include: ['src/**/*.test.{ts,tsx}', '{bench,drills,sandbox,test}/**/*.test.ts'],
    // Files share what a worker has loaded, so they leave nothing behind in their process.
    isolate: false,
    // Much of the waiting is for disks, chains and other processes: more files than processors go on meanwhile.
    maxWorkers: 3,
    // Most of what tests make is gone at once: with room for it, a quarter of the looking for garbage is left.
    execArgv: ['--max-semi-space-size=64'],
    // What goes on without an end is found; how long it takes on a busy machine is no test's matter.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What comes soon is waited for as long as a busy machine may take for it: how soon it comes is no test's matter.
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: ProgramsFirst },
    // Once a run, in this order.
    globalSetup: ['guard', 'machine', 'postgres', 'stores'].map((name) => `test/support/global-${name}.ts`),
  },
})
