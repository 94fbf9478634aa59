import type { Block } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import type { VM } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import type { Transaction } from './history/transaction.ts'

/** What the kinds of chain differ in. */
export interface Protocol {
  /** Throws when it is no transaction for this chain. */
  read(raw: Hex, common: Common): Transaction
  /** The state before all others: the development accounts have money. */
  begin(machine: VM, block: Block): Promise<void>
}
