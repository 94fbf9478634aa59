import type { TimestampUs } from '../domain/timestamp.ts'
import type { SourceTable, SweepTable } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { readSweeps } from '../store/sweeps.ts'
import type { ListedSource, SourcesView, SourceView, SweepView } from './sources-view.ts'

const SWEEPS_SHOWN = 5

/** The sources of this directory in their order, then those it was set up with before, by name. */
export async function sourcesViewOf(
  store: Store,
  listed: readonly ListedSource[],
  nowUs: () => TimestampUs,
): Promise<SourcesView> {
  const rows = await store.read.selectFrom('sources').selectAll().orderBy('name').execute()
  const rowOf = new Map(rows.map((row) => [row.name, row]))
  const former = rows
    .filter(({ name }) => !listed.some((source) => source.name === name))
    .map(({ name }) => ({ name, kind: 'not swept any more', address: '' }))
  const sources = await Promise.all(
    [...listed, ...former].map(async (source): Promise<SourceView> => {
      const sweeps = await readSweeps(store.read, source.name, SWEEPS_SHOWN)
      const row = rowOf.get(source.name)
      const isListed = listed.includes(source)
      return { ...source, ...stateOf(row, isListed, nowUs()), sweeps: sweeps.map(sweepViewOf) }
    }),
  )
  return { sources }
}

const stateOf = (row: SourceTable | undefined, isListed: boolean, nowUs: TimestampUs) => ({
  nextUs: row !== undefined && isListed && row.due_us > 0 ? row.due_us : null,
  sweeping: row !== undefined && row.lease_until_us > nowUs,
  failedPage: failedPageOf(row),
})

function failedPageOf(row: SourceTable | undefined): SourceView['failedPage'] {
  if (row?.failed_page == null) return null
  const { url, atUs, error } = JSON.parse(row.failed_page)
  return { url, atUs, error }
}

const sweepViewOf = (row: SweepTable): SweepView => ({
  status: row.status,
  startedUs: row.started_us,
  endedUs: row.ended_us,
  resumed: row.resumed === 1,
  seen: row.seen,
  stored: row.stored,
  refused: JSON.parse(row.refused),
  answers: JSON.parse(row.answers),
  announced: row.announced,
  error: row.error,
})
