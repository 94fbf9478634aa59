import { DEFAULT_SOURCES, type SourceConfig } from '../../ingest/source.ts'
import type { SweepIntervals } from '../../ingest/source-settings.ts'
import { configurationProblem } from './configuration-problem.ts'

/** Those that are swept unless `SOURCES` is set may be named also where it is: one text then serves every process. */
export function intervalsOf(intervals: SweepIntervals, sources: readonly SourceConfig[]): SweepIntervals {
  const known = new Set([...sources, ...DEFAULT_SOURCES].map(({ name }) => name))
  if ([...intervals.ofSource.keys()].every((name) => known.has(name))) return intervals
  throw configurationProblem(
    'SWEEP_INTERVAL: it names a source that SOURCES does not',
    `known here: ${[...known].join(', ')}`,
  )
}
