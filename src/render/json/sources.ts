import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { refusalWords } from '../../domain/words/refusal.ts'
import type { SourcePageView, SourcesView, SourceView, SweepView } from '../../views/sources/sources-view.ts'
import { changeLine, sweepChange } from '../sweep-words.ts'
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

function changedJson(source: SourceView) {
  const change = sweepChange(source)
  if (change === null) return null
  const { againstUs, seen, stored, refused } = change
  return { against: formatTimestamp(againstUs), seen, stored, refused, line: changeLine(change) }
}

const sourceJson = (source: SourceView) => ({
  name: source.name,
  kind: source.kind,
  address: source.address === '' ? null : source.address,
  sweeping: source.sweeping,
  next_run: timeOrNull(source.nextUs),
  last_sweep: source.sweeps[0] === undefined ? null : sweepJson(source.sweeps[0]),
  earlier_sweeps: source.sweeps.slice(1).map(sweepJson),
  last_complete_sweep: source.complete.last && sweepJson(source.complete.last),
  changed: changedJson(source),
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

export const sourcePageJson = (source: SourcePageView) => ({
  ...sourceJson(source),
  refusals: source.refusals.map(({ reason, total, examples }) => ({
    ...{ reason, words: refusalWords(reason), total, untrusted: true, examples },
  })),
})
