import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import type { Outcome } from './outcome.ts'

export interface Block {
  readonly number: number
  readonly timeS: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Of the state after it. */
  readonly root: Hex
  /** One or none: every transaction has a block of its own. */
  readonly outcomes: readonly Outcome[]
}

/** Where a transaction stands. */
export interface Place {
  readonly block: Block
  readonly index: number
  readonly outcome: Outcome
}

const NO_PARENT: Hex = `0x${'00'.repeat(32)}`
const NOTHING: readonly Outcome[] = []

/** The chain of blocks, in memory. */
export class Blocks {
  readonly #blocks: Block[] = []
  readonly #numberOf = new Map<Hex, number>()
  /** How often blocks were taken back, so that what comes instead of a block never has its hash. */
  #forks = 0

  get head(): Block {
    const head = this.#blocks.at(-1)
    if (head === undefined) throw new Error('the chain has no block')
    return head
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  at(number: number): Block | undefined {
    return this.#blocks[number]
  }

  withHash(hash: string): Block | undefined {
    return this.#blocks.findLast((block) => block.hash === hash)
  }

  between(from: number, to: number): readonly Block[] {
    return this.#blocks.slice(from, to + 1)
  }

  placeOf(hash: Hex): Place | undefined {
    const block = this.#blocks[this.#numberOf.get(hash) ?? -1]
    const index = block?.outcomes.findIndex(({ transaction }) => transaction.hash === hash) ?? -1
    const outcome = block?.outcomes[index]
    return block && outcome && { block, index, outcome }
  }

  append(timeS: number, root: Hex, outcomes: readonly Outcome[] = NOTHING): void {
    const number = this.#blocks.length
    const parentHash = this.#blocks.at(-1)?.hash ?? NO_PARENT
    const hashes = outcomes.map(({ transaction }) => transaction.hash)
    for (const hash of hashes) this.#numberOf.set(hash, number)
    const hash = hashOf([parentHash, number, timeS, root, this.#forks, ...hashes])
    this.#blocks.push({ number, timeS, hash, parentHash, root, outcomes: hashes.length === 0 ? NOTHING : outcomes })
  }

  /** State that was changed by hand belongs to the newest block. */
  restate(root: Hex): void {
    this.#blocks[this.head.number] = { ...this.head, root }
  }

  /** Takes back every block above a number. */
  backTo(number: number): void {
    for (const { outcomes } of this.#blocks.splice(number + 1)) {
      for (const { transaction } of outcomes) this.#numberOf.delete(transaction.hash)
    }
    this.#forks += 1
  }
}

/** Unique, and quick enough for a million empty blocks. Nobody can check a header here: its other roots are not kept. */
const hashOf = (parts: readonly (string | number)[]): Hex =>
  `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`
