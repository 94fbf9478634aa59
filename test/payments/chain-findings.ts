import { listPayments } from '../../src/store/posts/payments.ts'
import type { Store } from '../../src/store/store.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import type { Moved, RealChains } from './real-chains.ts'
import { PRICE } from './world.ts'

export interface ChainFindings {
  /** Visible, and not exactly one transfer of at least the price from its wallet to us. */
  readonly unpaid: string[]
  /** Signed messages that were paid for more than once. */
  readonly repeated: string[]
  /** Came to us, and not exactly one visible post is its. */
  readonly lost: Moved[]
  readonly undecided: string[]
  readonly differences: string[]
}

export const NO_CHAIN_FINDINGS: ChainFindings = { unpaid: [], repeated: [], lost: [], undecided: [], differences: [] }

/** Holds everything that is shown and stored against what the chains themselves say. */
export async function findOnChains(chains: Pick<RealChains, 'moved'>, store: Store): Promise<ChainFindings> {
  const moved = await chains.moved()
  const posts = await store.read.selectFrom('posts').selectAll().execute()
  const payments = await listPayments(store, { limit: 1_000_000 })
  const isOf = (post: (typeof posts)[number], { network, transaction, from, amount }: Moved): boolean =>
    post.payment_network === network &&
    post.payment_transaction === transaction &&
    post.wallet === from &&
    amount >= PRICE
  const messages = posts.map(({ wallet, host_id, text, signed_at }) => [wallet, host_id, text, signed_at].join(' '))
  const differences: string[] = []
  await verifyStore(store, (difference) => differences.push(JSON.stringify(difference)))
  return {
    unpaid: posts.filter((post) => moved.filter((one) => isOf(post, one)).length !== 1).map(({ post_id }) => post_id),
    repeated: messages.filter((message, index) => messages.indexOf(message) !== index),
    lost: moved.filter((one) => posts.filter((post) => isOf(post, one)).length !== 1),
    undecided: payments.filter(({ dueUs }) => dueUs !== null).map(({ key, state }) => `${state} ${key}`),
    differences,
  }
}
