import { sourceOf } from '../../src/ingest/source.ts'
import { sweep } from '../../src/ingest/sweep/sweep.ts'
import type { Progress, SweepStore } from '../../src/ingest/sweep/sweep-store.ts'
import { answering } from '../rigs/child.ts'
import { ownPeak } from '../rigs/peak-memory.ts'
import { SOURCE, sweepingAt } from '../rigs/sweeping.ts'

export interface SweptMemory {
  readonly peakBytes: number
  readonly pages: number
}

/** A store that keeps nothing, so that only the sweep's own memory is seen. */
const forgetful: SweepStore = {
  loadProgress: async (): Promise<Progress | null> => null,
  lastComplete: async () => undefined,
  isMissingSome: async () => false,
  isNamingNew: async () => false,
  loadDocument: async () => null,
  lastReadAt: async () => null,
  withRoom: async (_, found) => found,
  savePage: async () => undefined,
  finishSweep: async () => undefined,
}

answering<{ port: number }, SweptMemory>(async ({ port }) => {
  const { fetch, openLines, allow, calls, now, sleep, random } = sweepingAt(port)
  const { pages } = await sweep(sourceOf(SOURCE), {
    store: forgetful,
    sellers: async function* () {},
    openLines,
    fetch,
    allow,
    calls,
    now,
    sleep,
    random,
    limits: { pauseMs: 0, sweepBytes: Number.MAX_SAFE_INTEGER },
  })
  return { peakBytes: ownPeak(), pages }
})
