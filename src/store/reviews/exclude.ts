import { sql } from 'kysely'
import type { Exclusion, PaymentFound } from '../../domain/review.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { Reader, ReviewTable } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { readJson } from '../sql/json.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { placedReviewOf, type ReviewMoves, type StandingRow } from './review-standing.ts'

/** Somebody who is paid on a host, or has proved to own it. */
export interface SellerKey {
  readonly hostId: number
  /** In the form of `walletKey`. */
  readonly key: string
}

export const EXCLUSION_REASONS: Readonly<Record<Exclusion, string>> = {
  founder: 'the wallet is in the published founder list',
  'self-generated': 'the wallet or payer is a payee of this host or has proved to own it',
}

const sellerText = ({ hostId, key }: SellerKey): string => `${hostId}/${key}`

/** By whom a review could be self-generated: its wallet, and whoever paid. */
export const writersOf = (walletKeyOrNull: string | null, found: PaymentFound | null): string[] => [
  ...new Set([
    ...(walletKeyOrNull === null ? [] : [walletKeyOrNull]),
    ...(found === null ? [] : [walletKey(found.payer)]),
  ]),
]

const COLUMNS = { host_id: 'int', key: 'text' } as const
const rowsOf = (keys: readonly SellerKey[]): Row[] => {
  const unique = new Map(keys.map((one): [string, Row] => [sellerText(one), [one.hostId, one.key]]))
  return [...unique.values()]
}

const IS_PAYEE = sql`exists (select 1 from payees as p where p.payee_key = v.key and p.host_id = v.host_id)`
/** Signers are few and kept as written: EVM addresses differ in case. */
const IS_OWNER = sql`exists (select 1 from ownership as o where o.host_id = v.host_id
  and (o.signer = v.key or (v.key like '0x%' and lower(o.signer) = v.key)))`

/** Whoever proved once to speak for the host. */
const IS_CLAIMANT = sql`exists (select 1 from claims as q where q.host_id = v.host_id and q.wallet_key = v.key)`
const IS_SELLER = sql`(${IS_PAYEE} or ${IS_OWNER} or ${IS_CLAIMANT})`

const FIND_SELLERS = new RowsStatement(
  (dialect, rows) => sql<{ host_id: number; key: string }>`select v.host_id, v.key
    from ${dialect.hostRows(COLUMNS, rows)} as v where ${IS_SELLER}`,
)

/** Which of these are sellers of that host: a test for each pair. */
export async function sellersAmong(
  reader: Reader,
  dialect: Dialect,
  keys: readonly SellerKey[],
): Promise<(one: SellerKey) => boolean> {
  const rows = rowsOf(keys)
  if (rows.length === 0) return () => false
  const found = await FIND_SELLERS.run(reader, dialect, rows)
  const known = new Set(found.map((row) => sellerText({ hostId: row.host_id, key: row.key })))
  return (one) => known.has(sellerText(one))
}

/** Those of these payees that their host, which has reviews, was not known to pay. Before they are saved. */
export async function newSellers(reader: Reader, dialect: Dialect, keys: readonly SellerKey[]): Promise<SellerKey[]> {
  const rows = rowsOf(keys)
  if (rows.length === 0) return []
  const found = await sql<{ host_id: number; key: string }>`select v.host_id, v.key
    from ${dialect.hostRows(COLUMNS, rows)} as v where not ${IS_SELLER}`.execute(reader)
  return found.rows.map((row) => ({ hostId: row.host_id, key: row.key }))
}

/** Few hosts have reviews, and a sweep names thousands of payees. */
export async function reviewedHosts(
  reader: Reader,
  dialect: Dialect,
  hostIds: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  if (hostIds.size === 0) return new Set()
  const found = await REVIEWED.run(
    reader,
    dialect,
    [...hostIds].map((hostId): Row => [hostId]),
  )
  return new Set(found.map((row) => row.host_id))
}

const REVIEWED = new RowsStatement(
  (dialect, rows) => sql<{ host_id: number }>`select c.host_id
    from ${dialect.rows({ host_id: 'int' }, rows)} as v cross join host_counters as c
    where c.host_id = v.host_id and c.reviews > 0 ${dialect.among('c.host_id', rows)}`,
)

/** What was learnt about who sells: reviews that were counted until now are these sellers' own. */
export async function excludeSellers(moves: ReviewMoves, sellers: readonly SellerKey[]): Promise<void> {
  if (sellers.length === 0) return
  const { writer, dialect } = moves.transaction
  const rows = sellers.map(({ hostId, key }): Row => [hostId, key, `%"payer":${JSON.stringify(key)}%`.toLowerCase()])
  // The second condition finds too much rather than too little; who paid is compared exactly below.
  const found = await sql<
    StandingRow & Pick<ReviewTable, 'wallet_key' | 'payment_found'> & { key: string }
  >`select distinct w.host_id, w.route_id, w.review_id, w.level, w.excluded, w.superseded, w.outcome, w.wallet_key,
      w.payment_found, v.key
    from ${dialect.rows({ ...COLUMNS, payer: 'text' }, rows)} as v cross join reviews as w
    where w.host_id = v.host_id and w.excluded is null
      and (w.wallet_key = v.key or (w.payment_found is not null and lower(w.payment_found) like v.payer))
    order by w.host_id, w.review_id`.execute(writer)
  const done = new Set<string>()
  for (const row of found.rows) {
    const writers = writersOf(row.wallet_key, readJson(row.payment_found))
    const id = `${row.host_id}/${row.review_id}`
    if (!writers.includes(row.key) || done.has(id)) continue
    done.add(id)
    await moves.move(placedReviewOf(row), { excluded: 'self-generated' }, EXCLUSION_REASONS['self-generated'])
  }
}
