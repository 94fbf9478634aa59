import type { Source } from '../source.ts'
import { type OpenLines, sweepFile } from './sweep-file.ts'
import { SWEEP_LIMITS, type SweepLimits } from './sweep-limits.ts'
import { sweepPages } from './sweep-pages.ts'
import { type Ending, type SweepDeps, SweepRun } from './sweep-run.ts'
import { type KnownSellers, sweepSellers } from './sweep-sellers.ts'
import type { SweepOutcome } from './sweep-store.ts'

export interface Sweeping extends SweepDeps {
  readonly sellers: KnownSellers
  readonly openLines: OpenLines
  readonly limits?: Partial<SweepLimits>
}

function walk(source: Source, run: SweepRun, sweeping: Sweeping): Promise<Ending> {
  switch (source.shape) {
    case 'pages':
      return sweepPages(source, run)
    case 'sellers':
      return sweepSellers(source, sweeping.sellers, run)
    case 'file':
      return sweepFile(source, sweeping.openLines, run)
  }
}

/**
 * One sweep of one source, from where an interrupted one stopped, to its end or to its caps. Rejects only when the
 * store does; whatever the source does is in the outcome. Two sweeps of one source at a time are the caller's to prevent.
 */
export async function sweep(source: Source, sweeping: Sweeping): Promise<SweepOutcome> {
  const run = new SweepRun(source.name, sweeping, { ...SWEEP_LIMITS, ...sweeping.limits })
  await run.begin()
  return run.finish(await walk(source, run, sweeping))
}
