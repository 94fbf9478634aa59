import { bytesToHex } from '@ethereumjs/util'
import type { VM } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import { z } from 'zod'
import { type Chain, rootOf } from '../chain.ts'
import { addressOf, addressText, hexText, quantity, toQuantity } from '../hex.ts'
import type { Entry } from '../history/entry.ts'
import type { History } from '../history/history.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'
import { setBalance, setCode } from '../state/machine.ts'
import { blockAt } from './block-tag.ts'
import { type Methods, method } from './method.ts'

interface Snapshot {
  readonly number: number
  readonly root: Hex
  readonly ahead: number
}

/** What only a development chain lets anybody do, under the names that anvil gave them. */
export function cheats(chain: Chain): Methods {
  const snapshots: Snapshot[] = []
  return {
    evm_increaseTime: method(z.tuple([quantity]), async (seconds) => {
      const ahead = chain.history.clock.aheadS + Number(seconds)
      await chain.change(async () => [{ kind: 'clock', ahead }])
      return ahead
    }),
    evm_mine: async () => {
      await chain.mine(1)
      return '0x0'
    },
    anvil_mine: method(z.tuple([quantity.default(1n), quantity.default(0n)]), async (count, apart) => {
      await chain.mine(Number(count), Number(apart))
      return null
    }),
    anvil_setCode: method(z.tuple([addressText, hexText]), async (who, code) => {
      await chain.change(async ({ store }, machine) => {
        // Whoever plants the same at every start leaves nothing behind.
        if (bytesToHex(await machine.stateManager.getCode(addressOf(who))) === code.toLowerCase()) return []
        await setCode(machine, who, code)
        return [await stateOf(machine, store)]
      })
      return null
    }),
    anvil_setBalance: method(z.tuple([addressText, quantity]), async (who, wei) => {
      await chain.change(async ({ store }, machine) => {
        await setBalance(machine, who, wei)
        return [await stateOf(machine, store)]
      })
      return null
    }),
    evm_snapshot: async () => {
      await chain.change(async ({ blocks: { head }, clock }) => {
        snapshots.push({ number: head.number, root: head.root, ahead: clock.aheadS })
        return []
      })
      return toQuantity(snapshots.length)
    },
    evm_revert: method(z.tuple([quantity]), async (id) => {
      const [kept] = snapshots.splice(Number(id) - 1)
      if (kept === undefined) return false
      const { number, root, ahead } = kept
      await chain.change(async () => [
        { kind: 'back', number, root },
        { kind: 'clock', ahead },
      ])
      return true
    }),
    anvil_reorg: method(z.tuple([quantity, z.array(z.never()).default([])]), async (depth) => {
      await chain.change(async (history) => reorganised(history, Number(depth)))
      return null
    }),
  }
}

const stateOf = async (machine: VM, { fresh: nodes }: History['store']): Promise<Entry> => ({
  kind: 'state',
  root: await rootOf(machine),
  nodes,
})

/** The newest blocks are replaced by empty ones of the same times. */
function reorganised({ blocks }: History, depth: number): Entry[] {
  const number = blocks.head.number - depth
  if (number < 0) throw new RpcError(INVALID_PARAMS, `there are no ${depth} blocks to take back`)
  const { root } = blockAt(blocks, { number })
  const empty = blocks
    .between(number + 1, blocks.head.number)
    .map(({ timeS }): Entry => ({ kind: 'block', time: timeS }))
  return [{ kind: 'back', number, root }, ...empty]
}
