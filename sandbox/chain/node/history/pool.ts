import type { Hex } from 'viem'
import type { Transaction } from './transaction.ts'

/** Transactions that were taken and wait for an earlier one of their lane. */
export class Pool {
  readonly #held = new Map<Hex, Transaction>()

  hold(transaction: Transaction): void {
    this.#held.set(transaction.hash, transaction)
  }

  drop(hash: Hex): void {
    this.#held.delete(hash)
  }

  get(hash: Hex): Transaction | undefined {
    return this.#held.get(hash)
  }

  /** Who is next in a lane that has come to this nonce. */
  next(lane: string, nonce: bigint): Transaction | undefined {
    return [...this.#held.values()].find((held) => held.lane === lane && held.nonce === nonce)
  }

  /** The first nonce from this one on that nobody in the lane has taken. */
  freeNonce(lane: string, nonce: bigint): bigint {
    let free = nonce
    while (this.next(lane, free) !== undefined) free += 1n
    return free
  }
}
