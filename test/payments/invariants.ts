import { FAKE_TERMS } from '../../src/acts/testing/fake-facilitator.ts'
import { listPayments } from '../../src/store/posts/payments.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import type { Purchase, World } from './purchase.ts'

export interface Findings {
  /** Visible, and no transfer of the price from its wallet to us that is its own. */
  readonly unpaid: string[]
  /** Buyers from whom we took more than one payment for one post. */
  readonly doubleCharges: string[]
  /** Signed messages for which we moved money more than once. */
  readonly repeated: string[]
  /** Paid to us through us, or known to us, and not visible. */
  readonly lost: string[]
  readonly lies: string[]
  readonly undecided: string[]
  readonly differences: string[]
}

/** Holds everything that is shown and stored against the chain. */
export async function examine(
  { store, chain }: Omit<World, 'clock'>,
  purchases: readonly Purchase[],
): Promise<Findings> {
  const transfers = chain.transfers()
  const posts = await store.read.selectFrom('posts').selectAll().execute()
  const payments = await listPayments(store, { limit: 1_000_000 })
  const nonceOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1)
  const byUse = new Map(payments.map((payment) => [`${payment.payer} ${nonceOf(payment.key)}`, payment]))
  const byTransaction = new Map(transfers.map((transfer) => [transfer.transaction, transfer]))
  const shown = new Map(posts.map((post) => [post.post_id, post]))
  const used = new Set<string>()

  const nonces = new Map(payments.map(({ postId, key }) => [postId, nonceOf(key)]))

  const unpaid = posts.filter((post) => {
    if (post.hidden_us !== null) return false
    const paid = byTransaction.get(post.payment_transaction)
    const isGood =
      paid !== undefined &&
      paid.nonce === nonces.get(post.post_id) &&
      paid.payer === post.wallet &&
      paid.payee === FAKE_TERMS.payee &&
      BigInt(paid.amount) >= BigInt(FAKE_TERMS.amount) &&
      !used.has(paid.transaction)
    used.add(post.payment_transaction)
    return !isGood
  })
  const lost = transfers.filter((transfer) => {
    const payment = byUse.get(`${transfer.payer} ${transfer.nonce}`)
    if (!payment) return transfer.by === 'facilitator'
    return payment.state !== 'settled' || shown.get(payment.postId)?.payment_transaction !== transfer.transaction
  })
  const doubleCharges = purchases.filter(
    ({ credentials }) => credentials.filter((one) => chain.find(one)?.by === 'facilitator').length > 1,
  )
  const moved = payments.filter(({ payer, key }) => chain.find({ payer, nonce: nonceOf(key) })?.by === 'facilitator')
  const messages = moved.map(({ host, intent: { wallet, text, signedAt } }) => [wallet, host, text, signedAt].join(' '))
  const differences: string[] = []
  await verifyStore(store, (difference) => differences.push(JSON.stringify(difference)))
  const announced = await store.read.selectFrom('events').select('subject').where('kind', '=', 'post').execute()
  if (announced.length !== posts.length) differences.push(`${announced.length} announcements of ${posts.length} posts`)
  return {
    unpaid: unpaid.map((post) => post.post_id),
    doubleCharges: doubleCharges.map(({ credentials }) => JSON.stringify(credentials)),
    repeated: messages.filter((message, index) => messages.indexOf(message) !== index),
    lost: lost.map((transfer) => JSON.stringify(transfer)),
    lies: purchases.flatMap(({ lies }) => lies),
    undecided: payments.filter(({ dueUs }) => dueUs !== null).map(({ key }) => key),
    differences,
  }
}

export const NO_FINDINGS: Findings = {
  unpaid: [],
  doubleCharges: [],
  repeated: [],
  lost: [],
  lies: [],
  undecided: [],
  differences: [],
}
