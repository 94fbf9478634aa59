import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader } from '../schema.ts'
import type { Store } from '../store.ts'
import { asLine } from './payment-steps.ts'
import { payments, type StoredPayment, storedPaymentOf } from './payments.ts'

/**
 * What was done about a payment: it was handed over to be settled, looked for on the chain, confirmed there where a
 * facilitator had been believed, or watched until its block was final.
 */
export const ACTS = ['settle', 'look', 'confirm', 'watch'] as const
export type PaymentAct = (typeof ACTS)[number]

/** One step of a payment's story. What came again and again is one step with a count. */
export interface StoryStep {
  readonly act: string
  readonly said: string
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
  readonly times: number
}

/** A payment that nobody can decide is looked at for a day: turns of two or three steps that repeat are each kept once. */
const REPEATING = 3
const MOST_STEPS = 200

/** Adds a step; a payment's outcome never hangs on it. */
export const tellStep = (
  store: Store,
  paymentKey: string,
  act: PaymentAct,
  answered: readonly string[],
  nowUs: TimestampUs,
): Promise<void> =>
  store.write(async (writer) => {
    const said = answered.map(asLine).join('; ')
    const last = await writer
      .selectFrom('payment_story')
      .selectAll()
      .where('payment_key', '=', paymentKey)
      .orderBy('n', 'desc')
      .limit(REPEATING)
      .execute()
    const same = last.find((step) => step.act === act && step.said === said)
    if (same !== undefined) {
      await writer
        .updateTable('payment_story')
        .set({ last_us: nowUs, times: same.times + 1 })
        .where('payment_key', '=', paymentKey)
        .where('n', '=', same.n)
        .execute()
      return
    }
    const n = (last[0]?.n ?? 0) + 1
    if (n > MOST_STEPS) return
    await writer
      .insertInto('payment_story')
      .values({ payment_key: paymentKey, n, act, said, first_us: nowUs, last_us: nowUs, times: 1 })
      // Another program has told of its own step meanwhile.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })

export interface PaymentStory {
  readonly payment: Omit<StoredPayment, 'raw'>
  readonly steps: readonly StoryStep[]
}

/** Of the payments for one post, in the order in which they were begun: a third party may have made a second one. */
export async function readStories(reader: Reader, postId: string): Promise<PaymentStory[]> {
  const rows = await payments(reader).where('post_id', '=', postId).orderBy('created_us').execute()
  const stories: PaymentStory[] = []
  for (const row of rows) {
    const { raw: _, ...payment } = storedPaymentOf(row)
    stories.push({ payment, steps: await readSteps(reader, payment.key) })
  }
  return stories
}

async function readSteps(reader: Reader, paymentKey: string): Promise<StoryStep[]> {
  const rows = await reader
    .selectFrom('payment_story')
    .selectAll()
    .where('payment_key', '=', paymentKey)
    .orderBy('n')
    .execute()
  return rows.map(({ act, said, first_us, last_us, times }) => ({
    ...{ act, said, times },
    ...{ firstUs: first_us, lastUs: last_us },
  }))
}
