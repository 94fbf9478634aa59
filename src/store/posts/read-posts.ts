import { type RawBuilder, sql } from 'kysely'
import type { PostTable } from '../schema.ts'
import { logIndexOf } from '../sql/log-index.ts'
import type { Store } from '../store.ts'

export interface PostRow extends Omit<PostTable, 'host_id' | 'log_id'> {
  /** Its place in the evidence log; null while it has none. */
  evidence_index: number | null
  /** Of its payment's transfer: -1 when no node was asked; null when the payment's record is not here. */
  log_index: number | null
  /** As the rest of it: null when its record is not here. */
  payment_asset: string | null
  payment_amount: string | null
  payment_payee: string | null
  /** Null also when it turned out not to have been made. */
  settled_us: number | null
}

export const POST_COLUMNS = {
  post_id: 'value',
  text: 'value',
  wallet: 'value',
  signature: 'value',
  signed_at: 'value',
  posted_us: 'value',
  rail: 'value',
  payment_network: 'value',
  payment_transaction: 'value',
  payer: 'value',
  hidden_us: 'value',
  hidden_reason: 'value',
  log_index: 'value',
  payment_asset: 'value',
  payment_amount: 'value',
  payment_payee: 'value',
  settled_us: 'value',
  evidence_index: 'value',
} as const

const ofPayment = (what: string): RawBuilder<unknown> =>
  sql`(select ${sql.raw(what)} from payments as y
    where y.post_id = posts.post_id and y.host_id = posts.host_id limit 1)`

/** Of `posts`, in the order of `POST_COLUMNS`. */
export const POST_FIELDS = sql`post_id, text, wallet, signature, signed_at, posted_us, rail, payment_network,
  payment_transaction, payer, hidden_us, hidden_reason, ${ofPayment('y.log_index')} as log_index,
  ${ofPayment('y.asset')} as payment_asset, ${ofPayment('y.amount')} as payment_amount,
  ${ofPayment('y.payee')} as payment_payee,
  ${ofPayment("case when y.state = 'settled' then y.updated_us end")} as settled_us,
  ${logIndexOf('posts.log_id')} as evidence_index`

/** Where a thread continues: after this one. */
export type PostPosition = readonly [postedUs: number, id: string]

/** A host's thread, oldest first. */
export async function readPosts(
  store: Store,
  hostId: number,
  after: PostPosition | null,
  limit: number,
): Promise<PostRow[]> {
  const position = after && sql`and (posted_us, post_id) > (${sql.join(after)})`
  const found = await sql<PostRow>`select ${POST_FIELDS}
    from posts where host_id = ${hostId} ${position ?? sql``} order by posted_us, post_id limit ${limit}`.execute(
    store.read,
  )
  return found.rows
}
