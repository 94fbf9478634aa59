import { CLAIM_US, postIdOf } from '../../domain/money/payment.ts'
import { LATEST_US, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { PaymentTable, Writer } from '../schema.ts'
import type { Store } from '../store.ts'
import {
  findPayment,
  findPaymentIdentified,
  findPaymentNamed,
  type Intent,
  isChargedElsewhere,
  type StoredPayment,
} from './payments.ts'

/**
 * The steps of a payment up to its end, one transaction each; publishing, the last one, is in `publish.ts`. Every step
 * is conditional on what its caller saw, so that of several programs at most one takes it.
 */

/** What is stored before anybody is asked to move money. */
export interface NewPayment
  extends Pick<
    StoredPayment,
    | 'key'
    | 'rail'
    | 'network'
    | 'asset'
    | 'payer'
    | 'payee'
    | 'amount'
    | 'expiresUs'
    | 'fromBlock'
    | 'identifier'
    | 'requestHash'
    | 'idempotencyKey'
  > {
  readonly hostId: number
  readonly raw: string
  readonly intent: Intent
  readonly messageKey: string
}

const rowOf = (payment: NewPayment, nowUs: TimestampUs): PaymentTable => ({
  payment_key: payment.key,
  host_id: payment.hostId,
  rail: payment.rail,
  state: 'pending',
  network: payment.network,
  asset: payment.asset,
  payer: payment.payer,
  payee: payment.payee,
  amount: payment.amount,
  request_hash: payment.requestHash,
  intent: JSON.stringify(payment.intent),
  transaction_id: null,
  created_us: nowUs,
  updated_us: nowUs,
  identifier: payment.identifier,
  post_id: postIdOf(payment.key),
  // An authorisation may be good for ever.
  expires_us: Math.min(payment.expiresUs, LATEST_US),
  from_block: payment.fromBlock,
  raw: payment.raw,
  reason: null,
  log_index: -1,
  due_us: nowUs + CLAIM_US,
  attempts: 0,
  message_key: payment.messageKey,
  idempotency_key: payment.idempotencyKey,
})

/**
 * Stores the intent, claimed by the caller, who settles it next. `undefined` when the authorisation, the payer's own
 * name for it or for the request, or another payment for the same signed message is known already: then there is nothing
 * to settle for the caller.
 */
export async function saveIntent(
  store: Store,
  payment: NewPayment,
  nowUs: TimestampUs,
): Promise<StoredPayment | undefined> {
  return store.write(async (writer) => {
    const inserted = await writer
      .insertInto('payments')
      .values(rowOf(payment, nowUs))
      .onConflict((conflict) => conflict.doNothing())
      .returning('payment_key')
      .executeTakeFirst()
    return inserted && findPayment(writer, payment.key)
  })
}

/** Takes an undecided payment as the caller saw it; whoever else saw it the same comes too late. */
export const claimPayment = (
  store: Store,
  seen: StoredPayment,
  nowUs: TimestampUs,
): Promise<StoredPayment | undefined> => store.write((writer) => claim(writer, seen, { due_us: nowUs + CLAIM_US }))

/** The payer's own names for a payment and for the request that it came with. */
export type Names = Pick<StoredPayment, 'identifier' | 'idempotencyKey'>

/**
 * Takes a refused payment that is settled again: it is `pending` from here on, because from now on it may be paid. Not
 * when its message, or a name that its payer now gives it or the request, has another payment since: then this
 * authorisation must not be used any more.
 */
export async function claimRefused(
  store: Store,
  seen: StoredPayment,
  { identifier, idempotencyKey }: Names,
  nowUs: TimestampUs,
): Promise<StoredPayment | undefined> {
  const { key, payer, messageKey } = seen
  try {
    return await store.write(async (writer) => {
      if (messageKey !== null && (await isChargedElsewhere(writer, key, messageKey))) return undefined
      const identified = await findPaymentIdentified(writer, payer, identifier)
      const named = idempotencyKey === null ? undefined : await findPaymentNamed(writer, payer, idempotencyKey)
      if ([identified, named].some((other) => other && other.key !== key)) return undefined
      const names = { identifier, idempotency_key: idempotencyKey }
      return claim(writer, seen, { state: 'pending', due_us: nowUs + CLAIM_US, ...names })
    })
  } catch (error) {
    // Another program was faster by less than the time between looking and writing.
    if (isDuplicate(error)) return undefined
    throw error
  }
}

async function claim(
  writer: Writer,
  seen: StoredPayment,
  change: Pick<PaymentTable, 'due_us'> & Partial<Pick<PaymentTable, 'state' | 'identifier' | 'idempotency_key'>>,
): Promise<StoredPayment | undefined> {
  const updated = await writer
    .updateTable('payments')
    .set({ ...change, attempts: seen.attempts + 1 })
    .where('payment_key', '=', seen.key)
    .where('state', '=', seen.state)
    .where('attempts', '=', seen.attempts)
    .where('due_us', 'is not', null)
    .executeTakeFirst()
  return updated.numUpdatedRows === 0n ? undefined : findPayment(writer, seen.key)
}

const UNIQUE_VIOLATION = '23505'
const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION

const LONGEST_REASON = 300

/** Rails speak the directory's own words; should one hand on a stranger's, it stays one line. */
export const asLine = (reason: string): string =>
  reason
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .slice(0, LONGEST_REASON)
    .toWellFormed()
    .trim()

/**
 * Not decided yet: looked at again at `dueUs`. Only while nobody else has claimed it since. What was refused keeps why:
 * that a chain has not seen it since is no news.
 */
export async function postponePayment(
  store: Store,
  seen: StoredPayment,
  reason: string,
  dueUs: TimestampUs,
): Promise<void> {
  await store.write((writer) =>
    writer
      .updateTable('payments')
      .set({ due_us: dueUs, ...(seen.state === 'refused' ? {} : { reason: asLine(reason) }) })
      .where('payment_key', '=', seen.key)
      .where('state', '=', seen.state)
      .where('attempts', '=', seen.attempts)
      .where('due_us', 'is not', null)
      .execute(),
  )
}

/** What a payment that was not made gives up: its payer may use the names again. */
export const UNNAMED = { identifier: null, idempotency_key: null } as const

/**
 * Settling was refused for certain, and another credential may have its names. False when somebody else has claimed the payment since and may have settled it: then
 * it stays pending, because nobody can say.
 */
export async function refusePayment(
  store: Store,
  claimed: StoredPayment,
  reason: string,
  nowUs: TimestampUs,
  dueUs: TimestampUs,
): Promise<boolean> {
  return store.write(async (writer) => {
    const updated = await writer
      .updateTable('payments')
      .set({ state: 'refused', reason: asLine(reason), updated_us: nowUs, due_us: dueUs, ...UNNAMED })
      .where('payment_key', '=', claimed.key)
      .where('state', '=', 'pending')
      .where('attempts', '=', claimed.attempts)
      .executeTakeFirst()
    return updated.numUpdatedRows > 0n
  })
}

/** The chain has said that it was not paid and never will be. The payer may use its own name for another payment. */
export async function expirePayment(store: Store, key: string, reason: string, nowUs: TimestampUs): Promise<void> {
  await store.write((writer) =>
    writer
      .updateTable('payments')
      .set({ state: 'expired', reason: asLine(reason), updated_us: nowUs, due_us: null, raw: null, ...UNNAMED })
      .where('payment_key', '=', key)
      .where('state', 'in', ['pending', 'refused'])
      .execute(),
  )
}
