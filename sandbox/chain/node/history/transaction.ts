import type { Block } from '@ethereumjs/block'
import type { VM } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import type { Outcome, TransactionJson } from './outcome.ts'

/** A signed transaction as the chain takes it, whatever its kind. */
export interface Transaction {
  /** As it was sent. */
  readonly raw: Hex
  readonly hash: Hex
  readonly nonce: bigint
  /** Transactions of one lane run in the order of their nonces, without gaps. The plain lane is the sender's address. */
  readonly lane: string
  readonly json: TransactionJson
  /** The nonce that its lane has come to. */
  nextNonce(machine: VM): Promise<bigint>
  /** Throws when it can never run as the chain is now, by whose clock it is `timeS`. */
  check(machine: VM, timeS: number): Promise<void>
  /** Changes the machine's state as the transaction says. When it throws, nothing has changed. */
  run(machine: VM, block: Block): Promise<Outcome>
}
