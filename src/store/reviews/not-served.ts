import { type RawBuilder, sql } from 'kysely'
import type { NotServed, Outcome } from '../../domain/buyers/outcome.ts'
import type { PaymentFound } from '../../domain/review.ts'
import type { JsonText } from '../schema.ts'
import { readJson } from '../sql/json.ts'

/** What a verified buyer paid for and was not served. */
export interface NotServedRow {
  review_id: string
  outcome: JsonText<Outcome>
  payment_network: string
  payment_transaction: string
  payment_found: JsonText<PaymentFound> | null
  submitted_us: number
}

export const NOT_SERVED_COLUMNS = {
  review_id: 'value',
  outcome: 'value',
  payment_network: 'value',
  payment_transaction: 'value',
  payment_found: 'value',
  submitted_us: 'value',
} as const

/** Inside a list of routes: the newest of the route at hand. */
export const notServedOf = (ofRoute: RawBuilder<unknown>, limit: number): RawBuilder<unknown> =>
  sql`select w.review_id, w.outcome, w.payment_network, w.payment_transaction, w.payment_found,
      w.submitted_us from reviews as w
    where ${ofRoute} and w.served = 0 and w.level = 'Verified buyer' and w.excluded is null
    order by w.submitted_us desc, w.review_id desc limit ${limit}`

export function notServedIn(row: NotServedRow): NotServed {
  const { httpStatus, latencyMs } = readJson(row.outcome)
  return {
    ...{ review: row.review_id, httpStatus, latencyMs },
    network: row.payment_network,
    transaction: readJson(row.payment_found)?.channel?.transaction ?? row.payment_transaction,
    reportedUs: row.submitted_us,
  }
}
