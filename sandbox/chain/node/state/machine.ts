import { type Block, createBlock } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Account, hexToBytes } from '@ethereumjs/util'
import { createVM, type VM } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import { addressOf } from '../hex.ts'
import { BASE_FEE, GAS_LIMIT } from '../rules.ts'
import type { TrieStore } from './trie-store.ts'

/** An EVM with its state, over a store that several may share. */
export function openMachine(common: Common, store: TrieStore): Promise<VM> {
  const trie = new MerklePatriciaTrie({ useKeyHashing: true, common, db: store })
  return createVM({ common, stateManager: new MerkleStateManager({ common, trie }) })
}

/** What code sees of the block that it runs in. */
export const surroundings = (common: Common, number: number, timeS: number): Block =>
  createBlock(
    { header: { number, timestamp: timeS, gasLimit: GAS_LIMIT, baseFeePerGas: BASE_FEE } },
    { common, skipConsensusFormatValidation: true },
  )

export const accountOf = async ({ stateManager }: VM, who: Hex): Promise<Account> =>
  (await stateManager.getAccount(addressOf(who))) ?? new Account()

export async function setBalance(machine: VM, who: Hex, wei: bigint): Promise<void> {
  const account = await accountOf(machine, who)
  account.balance = wei
  await machine.stateManager.putAccount(addressOf(who), account)
}

export const setCode = ({ stateManager }: VM, who: Hex, code: Hex): Promise<void> =>
  stateManager.putCode(addressOf(who), hexToBytes(code))
