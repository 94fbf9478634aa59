import type { Hex } from 'viem'
import { TrieStore } from '../state/trie-store.ts'
import { Blocks } from './blocks.ts'
import { ChainClock } from './clock.ts'
import type { Entry } from './entry.ts'
import { Pool } from './pool.ts'
import type { Transaction } from './transaction.ts'

/** All that has happened. It changes by entries alone, so a chain that is read again is the chain that was written. */
export class History {
  readonly blocks = new Blocks()
  readonly pool = new Pool()
  readonly store = new TrieStore()
  readonly clock: ChainClock

  constructor(
    wallS: () => number,
    /** Throws when it is no transaction for this chain. */
    readonly read: (raw: Hex) => Transaction,
  ) {
    this.clock = new ChainClock(wallS)
  }

  /** When a block that is closed now is closed. */
  get nextTimeS(): number {
    return this.clock.next(this.blocks.isEmpty ? 0 : this.blocks.head.timeS)
  }

  apply(entry: Entry): void {
    const { blocks, pool, store } = this
    switch (entry.kind) {
      case 'block': {
        const { nodes = [], outcomes = [] } = entry
        store.restore(nodes)
        blocks.append(entry.time, entry.root ?? blocks.head.root, outcomes)
        for (const { transaction } of outcomes) pool.drop(transaction.hash)
        break
      }
      case 'state':
        store.restore(entry.nodes)
        blocks.restate(entry.root)
        break
      case 'back':
        blocks.backTo(entry.number)
        blocks.restate(entry.root)
        break
      case 'clock':
        this.clock.aheadS = entry.ahead
        break
      case 'held':
        pool.hold(this.read(entry.raw))
        break
      case 'dropped':
        pool.drop(entry.hash)
        break
      // These say something of the file alone.
      case 'chain':
      case 'closed':
        break
    }
  }
}
