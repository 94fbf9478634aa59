import { sql } from 'kysely'
import { Problem } from '../domain/problem.ts'
import { foundation } from './migrations/001-010/001-foundation.ts'
import { schedule } from './migrations/001-010/002-schedule.ts'
import { payments } from './migrations/001-010/003-payments.ts'
import { days } from './migrations/001-010/004-days.ts'
import { search } from './migrations/001-010/005-search.ts'
import { followers } from './migrations/001-010/006-followers.ts'
import { descriptions } from './migrations/001-010/007-descriptions.ts'
import { unseenPayments } from './migrations/001-010/008-unseen-payments.ts'
import { networks } from './migrations/001-010/009-networks.ts'
import { signedOnce } from './migrations/001-010/010-signed-once.ts'
import { routePrices } from './migrations/011-020/011-route-prices.ts'
import { reviewRanks } from './migrations/011-020/012-review-ranks.ts'
import { refusals } from './migrations/011-020/013-refusals.ts'
import { reviewDirectory } from './migrations/011-020/014-review-directory.ts'
import { now } from './migrations/011-020/015-now.ts'
import { severalPrices } from './migrations/011-020/016-several-prices.ts'
import { paymentStory } from './migrations/011-020/017-payment-story.ts'
import { buyers } from './migrations/011-020/018-buyers.ts'
import { sellers } from './migrations/011-020/019-sellers.ts'
import { evidenceLog } from './migrations/011-020/020-evidence-log.ts'
import { loggedSellers } from './migrations/021-030/021-logged-sellers.ts'
import { vantages } from './migrations/021-030/022-vantages.ts'
import { archivedMonths } from './migrations/021-030/023-archived-months.ts'
import { packedLog } from './migrations/021-030/024-packed-log.ts'
import { vantageEntries } from './migrations/021-030/025-vantage-entries.ts'
import { statedMethods } from './migrations/021-030/026-stated-methods.ts'
import { algorand } from './migrations/021-030/027-algorand.ts'
import { hiddenReviews } from './migrations/021-030/028-hidden-reviews.ts'
import { leases } from './migrations/021-030/029-leases.ts'
import { tiesOfRoutes } from './migrations/021-030/030-ties-of-routes.ts'
import { unfinalPayments } from './migrations/031-040/031-unfinal-payments.ts'
import { logKeys } from './migrations/031-040/032-log-keys.ts'
import { statedDifferences } from './migrations/031-040/033-stated-differences.ts'
import { reviewStandings } from './migrations/031-040/034-review-standings.ts'
import { pricesThere } from './migrations/031-040/035-prices-there.ts'
import { routeResults } from './migrations/031-040/036-route-results.ts'
import { moreNetworks } from './migrations/031-040/037-more-networks.ts'
import { payeeSources } from './migrations/031-040/038-payee-sources.ts'
import { keptTotals } from './migrations/031-040/039-kept-totals.ts'
import { eventsByKind } from './migrations/031-040/040-events-by-kind.ts'
import { clocksAhead } from './migrations/041-050/041-clocks-ahead.ts'
import type { Writer } from './schema.ts'
import type { Dialect } from './sql/dialect.ts'

/** One step forward of the schema. Steps are never changed once released; the number is the place in this list. */
export type Migration = (writer: Writer, dialect: Dialect) => Promise<void>

export const MIGRATIONS: readonly Migration[] = [
  foundation,
  schedule,
  payments,
  days,
  search,
  followers,
  descriptions,
  unseenPayments,
  networks,
  signedOnce,
  routePrices,
  reviewRanks,
  refusals,
  reviewDirectory,
  now,
  severalPrices,
  paymentStory,
  buyers,
  sellers,
  evidenceLog,
  loggedSellers,
  vantages,
  archivedMonths,
  packedLog,
  vantageEntries,
  statedMethods,
  algorand,
  hiddenReviews,
  leases,
  tiesOfRoutes,
  unfinalPayments,
  logKeys,
  statedDifferences,
  reviewStandings,
  pricesThere,
  routeResults,
  moreNetworks,
  payeeSources,
  keptTotals,
  eventsByKind,
  clocksAhead,
]

export const newerData = (version: number): Problem =>
  new Problem(
    'newer-data',
    500,
    'Data of a newer version',
    `the data has schema version ${version}, this program knows ${MIGRATIONS.length}`,
    'install the newer tollbook that wrote it',
  )

type Transact = <T>(work: (writer: Writer) => Promise<T>) => Promise<T>

/** One step of bringing data up to date that was there before, of all that the program knows. */
export interface SchemaStep {
  readonly step: number
  /** The version that the data had. */
  readonly from: number
  readonly to: number
}

/** Hears of each step as it begins: those of a large store take minutes. */
export type OnSchemaStep = (step: SchemaStep) => void

/** Brings the schema up to date, all missing steps in one transaction; answers how many there were. */
export const migrate = (
  dialect: Dialect,
  transact: Transact,
  onStep: OnSchemaStep = () => undefined,
): Promise<number> =>
  transact(async (writer) => {
    // Any number of programs may start at once: one migrates, the others wait for it.
    await dialect.lockSchema(writer)
    await sql`create table if not exists schema_version (version integer not null)`.execute(writer)
    const row = await writer.selectFrom('schema_version').select('version').executeTakeFirst()
    const version = row?.version ?? 0
    if (version > MIGRATIONS.length) throw newerData(version)
    for (const [index, step] of MIGRATIONS.slice(version).entries()) {
      if (version > 0) onStep({ step: version + index + 1, from: version, to: MIGRATIONS.length })
      await step(writer, dialect)
    }
    if (row === undefined) await writer.insertInto('schema_version').values({ version: MIGRATIONS.length }).execute()
    else await writer.updateTable('schema_version').set({ version: MIGRATIONS.length }).execute()
    return MIGRATIONS.length - version
  })
