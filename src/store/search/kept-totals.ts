import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { JsonText, KeptFacets, KeptTotals, KeptWords } from '../schema.ts'
import { readJson } from '../sql/json.ts'
import type { Store } from '../store.ts'
import type { FacetTotals, Totals } from './read-totals.ts'

/** Of `KeptTotals`: raise it where that changes. Programs of two versions on one store keep what each can read. */
const SHAPE = 1

/** They are saved no more often: a save is a write like any other, and pages are looked at again after it. */
const EVERY_US = 600_000_000

/** Older ones say nothing of who requested payment within a day. */
const MOST_AGE_US = DAY_US

/** What was counted before, by this program or another; `undefined` where nothing was, or too long ago. */
export async function readKeptTotals(store: Store, nowUs: TimestampUs): Promise<Totals | undefined> {
  const kept = await keptIn(store)
  if (kept === undefined || nowUs - kept.counted_us > MOST_AGE_US) return undefined
  const { facets, retired, ...counts } = readJson(kept.totals)
  return { ...counts, facets: facetsOf(facets), retired: { ...retired, facets: facetsOf(retired.facets) } }
}

/** Writes nothing where they are kept already, or others were a short while ago. */
export async function keepTotals(store: Store, totals: Totals, nowUs: TimestampUs): Promise<void> {
  const text = textOf(totals)
  const kept = await keptIn(store)
  if (kept !== undefined && (kept.totals === text || Math.abs(nowUs - kept.counted_us) < EVERY_US)) return
  const row = { counted_us: nowUs, totals: text }
  await store.write((writer) =>
    writer
      .insertInto('kept_totals')
      .values({ shape: SHAPE, ...row })
      .onConflict((conflict) => conflict.column('shape').doUpdateSet(row))
      .execute(),
  )
}

const keptIn = ({ read }: Store) =>
  read.selectFrom('kept_totals').select(['counted_us', 'totals']).where('shape', '=', SHAPE).executeTakeFirst()

/** The same of the same totals, in whatever order they were counted. */
function textOf({ facets, retired, ...counts }: Totals): JsonText<KeptTotals> {
  const kept: KeptTotals = {
    ...counts,
    facets: keptFacets(facets),
    retired: { ...retired, facets: keptFacets(retired.facets) },
  }
  return JSON.stringify(kept)
}

const keptFacets = ({ rails, networks, ...counts }: FacetTotals): KeptFacets => ({
  ...counts,
  rails: [...rails].sort(byWord),
  networks: [...networks].sort(byWord),
})

const byWord = ([a]: KeptWords[number], [b]: KeptWords[number]): number => (a < b ? -1 : 1)

const facetsOf = ({ rails, networks, ...counts }: KeptFacets): FacetTotals => ({
  ...counts,
  rails: new Map(rails),
  networks: new Map(networks),
})
