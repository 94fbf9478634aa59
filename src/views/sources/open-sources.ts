import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { readRefusals } from '../../store/facts/refusals.ts'
import { readCompleteSweeps, readSweeps } from '../../store/facts/sweeps.ts'
import type { SourceTable, SweepTable } from '../../store/schema.ts'
import { readJson } from '../../store/sql/json.ts'
import type { Store } from '../../store/store.ts'
import type { ListedSource, RefusalView, SourcePageView, SourcesView, SourceView, SweepView } from './sources-view.ts'

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
      const [last = null, before = null] = (await readCompleteSweeps(store.read, source.name, 2)).map(sweepViewOf)
      const row = rowOf.get(source.name)
      const isListed = listed.includes(source)
      const complete = { last, before }
      return { ...source, ...stateOf(row, isListed, nowUs()), sweeps: sweeps.map(sweepViewOf), complete }
    }),
  )
  return { sources }
}

/** One of them with what its newest sweep refused. */
export async function sourcePageOf(
  store: Store,
  listed: readonly ListedSource[],
  nowUs: () => TimestampUs,
  name: string,
): Promise<SourcePageView | undefined> {
  const source = (await sourcesViewOf(store, listed, nowUs)).sources.find((one) => one.name === name)
  if (source === undefined) return undefined
  const examples = await readRefusals(store.read, name)
  const counts = source.sweeps[0]?.refused ?? {}
  const reasons = [...new Set([...Object.keys(counts), ...examples.keys()])].sort()
  const refusals = reasons.map((reason): RefusalView => {
    const items = examples.get(reason) ?? []
    return { reason, total: Math.max(counts[reason] ?? 0, items.length), examples: items }
  })
  return { ...source, refusals }
}

const stateOf = (row: SourceTable | undefined, isListed: boolean, nowUs: TimestampUs) => ({
  nextUs: row !== undefined && isListed && row.due_us > 0 ? row.due_us : null,
  sweeping: row !== undefined && row.lease_until_us > nowUs,
  failedPage: failedPageOf(row),
})

function failedPageOf(row: SourceTable | undefined): SourceView['failedPage'] {
  const page = readJson(row?.failed_page ?? null)
  return page && { url: page.url, atUs: page.atUs, error: page.error }
}

const sweepViewOf = (row: SweepTable): SweepView => ({
  status: row.status,
  startedUs: row.started_us,
  endedUs: row.ended_us,
  resumed: row.resumed === 1,
  seen: row.seen,
  stored: row.stored,
  refused: readJson(row.refused),
  answers: readJson(row.answers),
  announced: row.announced,
  error: row.error,
})
