import { sql } from 'kysely'
import { z } from 'zod'
import type { SellerHost } from '../../domain/host.ts'
import { PAYMENT_STATES, type PaymentState } from '../../domain/money/payment.ts'
import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { PaymentTable, Reader } from '../schema.ts'
import type { Store } from '../store.ts'

/** The post that a payment is for, kept with it until it may be shown. */
export interface Intent {
  /** The endpoint's own full address. */
  readonly resource: string
  readonly text: string
  readonly wallet: string
  readonly signature: string
  readonly signedAt: string
}

/** A row of the ledger. */
export interface StoredPayment {
  readonly key: string
  readonly rail: Rail
  readonly host: SellerHost
  readonly state: PaymentState
  readonly network: string
  readonly asset: string
  readonly payer: string
  readonly payee: string
  readonly amount: string
  readonly expiresUs: TimestampUs
  readonly fromBlock: number
  readonly identifier: string | null
  /** A secret: the credential itself. Null once the payment has ended, and when it came from another store. */
  readonly raw: string | null
  readonly requestHash: string
  readonly resource: string
  readonly intent: Intent
  readonly postId: string
  readonly transaction: string | null
  readonly logIndex: number
  readonly reason: string | null
  readonly createdUs: TimestampUs
  /** Of a settled payment: when it was settled. */
  readonly updatedUs: TimestampUs
  readonly dueUs: TimestampUs | null
  readonly attempts: number
  /** Null where a third party made a second payment for the same signed message. */
  readonly messageKey: string | null
  readonly idempotencyKey: string | null
}

const intentSchema = z.strictObject({
  resource: z.string(),
  text: z.string(),
  wallet: z.string(),
  signature: z.string(),
  signedAt: z.string(),
})

type Row = PaymentTable & { host_name: string }

export function storedPaymentOf(row: Row): StoredPayment {
  const intent = intentSchema.parse(JSON.parse(row.intent))
  return {
    key: row.payment_key,
    rail: row.rail,
    host: row.host_name,
    state: row.state,
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    payee: row.payee,
    amount: row.amount,
    expiresUs: row.expires_us,
    fromBlock: row.from_block,
    identifier: row.identifier,
    raw: row.raw,
    requestHash: row.request_hash,
    resource: intent.resource,
    intent,
    postId: row.post_id,
    transaction: row.transaction_id,
    logIndex: row.log_index,
    reason: row.reason,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
    dueUs: row.due_us,
    attempts: row.attempts,
    messageKey: row.message_key,
    idempotencyKey: row.idempotency_key,
  }
}

export const payments = (reader: Reader) =>
  reader
    .selectFrom('payments')
    .innerJoin('hosts', 'hosts.host_id', 'payments.host_id')
    .selectAll('payments')
    .select('hosts.name as host_name')

export async function findPayment(reader: Reader, key: string): Promise<StoredPayment | undefined> {
  const row = await payments(reader).where('payment_key', '=', key).executeTakeFirst()
  return row && storedPaymentOf(row)
}

/** By the authorisation, or else by the payer's own name for the payment. */
export async function findPaymentOf(
  reader: Reader,
  credential: { readonly key: string; readonly payer: string; readonly identifier: string | null },
): Promise<StoredPayment | undefined> {
  const byKey = await findPayment(reader, credential.key)
  return byKey ?? findPaymentIdentified(reader, credential.payer, credential.identifier)
}

/** By the payer's own name for the payment. */
export async function findPaymentIdentified(
  reader: Reader,
  payer: string,
  identifier: string | null,
): Promise<StoredPayment | undefined> {
  if (identifier === null) return undefined
  const row = await payments(reader).where('payer', '=', payer).where('identifier', '=', identifier).executeTakeFirst()
  return row && storedPaymentOf(row)
}

/** Word for word the condition of the index `payments_by_message`. */
const CHARGING = sql<boolean>`payments.state in ('pending', 'settled')`

/** The one payment that a signed message has led to and that was, or may be, made. */
export async function findPaymentFor(reader: Reader, messageKey: string): Promise<StoredPayment | undefined> {
  const row = await payments(reader).where('message_key', '=', messageKey).where(CHARGING).executeTakeFirst()
  return row && storedPaymentOf(row)
}

/** By the wallet's own name for its request. */
export async function findPaymentNamed(
  reader: Reader,
  wallet: string,
  idempotencyKey: string,
): Promise<StoredPayment | undefined> {
  const row = await payments(reader)
    .where('payer', '=', wallet)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()
  return row && storedPaymentOf(row)
}

/** Whether another payment was, or may be, made for the same signed message. */
export async function isChargedElsewhere(reader: Reader, key: string, messageKey: string): Promise<boolean> {
  const held = await findPaymentFor(reader, messageKey)
  return held !== undefined && held.key !== key
}

/** Word for word the condition of the index `payments_due`. */
const UNDECIDED = sql<boolean>`payments.state <> 'settled'`

/** Undecided payments that it is time to look at, the longest overdue first. */
export async function duePayments(reader: Reader, nowUs: TimestampUs, limit: number): Promise<StoredPayment[]> {
  const rows = await payments(reader)
    .where(UNDECIDED)
    .where('due_us', '<=', nowUs)
    .orderBy('due_us')
    .limit(limit)
    .execute()
  return rows.map(storedPaymentOf)
}

/** Every payment that has not ended, page by page, due or not. */
export async function* undecidedPayments(reader: Reader, page = 200): AsyncGenerator<StoredPayment> {
  let after = ''
  for (;;) {
    const rows = await payments(reader)
      .where(UNDECIDED)
      .where('due_us', 'is not', null)
      .where('payment_key', '>', after)
      .orderBy('payment_key')
      .limit(page)
      .execute()
    yield* rows.map(storedPaymentOf)
    const last = rows.at(-1)
    if (last === undefined || rows.length < page) return
    after = last.payment_key
  }
}

export interface PaymentFilter {
  readonly state?: PaymentState | undefined
  readonly limit: number
}

/** The ledger for its operator, what changed last first. Never with credentials. */
export async function listPayments(
  store: Store,
  { state, limit }: PaymentFilter,
): Promise<Omit<StoredPayment, 'raw'>[]> {
  const all = payments(store.read).orderBy('updated_us', 'desc').orderBy('payment_key').limit(limit)
  const rows = await (state === undefined ? all : all.where('state', '=', state)).execute()
  return rows.map((row) => {
    const { raw: _, ...shown } = storedPaymentOf(row)
    return shown
  })
}

/** When the oldest payment was begun whose outcome is not known. */
export async function oldestPendingUs(reader: Reader): Promise<TimestampUs | null> {
  const row = await reader
    .selectFrom('payments')
    .select((eb) => eb.fn.min('created_us').as('oldest'))
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return row?.oldest ?? null
}

export interface PaymentTotal {
  readonly state: PaymentState
  readonly rail: Rail
  readonly network: string
  readonly asset: string
  readonly payments: number
  /** In the asset's base units; amounts of different assets are never added up. */
  readonly amount: string
}

export async function paymentTotals(store: Store): Promise<PaymentTotal[]> {
  type Group = Pick<PaymentTable, 'state' | 'rail' | 'network' | 'asset' | 'amount'> & { n: number }
  const found = await sql<Group>`select state, rail, network, asset, amount, count(*) as n from payments
    group by state, rail, network, asset, amount`.execute(store.read)
  const totals = new Map<string, { of: Omit<PaymentTotal, 'payments' | 'amount'>; payments: number; amount: bigint }>()
  for (const row of found.rows) {
    const of = { state: row.state, rail: row.rail, network: row.network, asset: row.asset }
    const name = JSON.stringify([PAYMENT_STATES.indexOf(of.state), of.rail, of.network, of.asset])
    const total = totals.get(name) ?? { of, payments: 0, amount: 0n }
    total.payments += row.n
    total.amount += BigInt(row.amount) * BigInt(row.n)
    totals.set(name, total)
  }
  return [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { of, payments: n, amount }]) => ({ ...of, payments: n, amount: String(amount) }))
}
