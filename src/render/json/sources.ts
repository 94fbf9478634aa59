import { formatTimestamp } from '../../domain/timestamp.ts'
import type { SourcesView, SourceView, SweepView } from '../../views/sources-view.ts'
import { timeOrNull } from '../values.ts'

const sweepJson = (sweep: SweepView) => ({
  status: sweep.status,
  started: formatTimestamp(sweep.startedUs),
  ended: formatTimestamp(sweep.endedUs),
  resumed: sweep.resumed,
  seen: sweep.seen,
  stored: sweep.stored,
  refused: sweep.refused,
  answers: sweep.answers,
  announced: sweep.announced,
  error: sweep.error,
})

const sourceJson = (source: SourceView) => ({
  name: source.name,
  kind: source.kind,
  address: source.address === '' ? null : source.address,
  sweeping: source.sweeping,
  next_run: timeOrNull(source.nextUs),
  last_sweep: source.sweeps[0] === undefined ? null : sweepJson(source.sweeps[0]),
  earlier_sweeps: source.sweeps.slice(1).map(sweepJson),
  last_failed_page:
    source.failedPage === null
      ? null
      : {
          untrusted: true,
          url: source.failedPage.url,
          at: formatTimestamp(source.failedPage.atUs),
          error: source.failedPage.error,
        },
})

export const sourcesJson = (view: SourcesView) => ({ sources: view.sources.map(sourceJson) })
