import { bytesToBigInt, hexToBytes } from '@ethereumjs/util'
import type { VM } from '@ethereumjs/vm'
import { keccak256 } from 'ox/Hash'
import type { Hex } from 'viem'
import { addressOf, join, toWord } from '../hex.ts'
import { setCode } from '../state/machine.ts'

/** The key of Tempo's transactions whose nonce says nothing because they expire. */
export const EXPIRING = 2n ** 256n - 1n

/** Tempo's keeper of nonces beside the account's own. They are state like any other, so they go back with it. */
const NONCES: Hex = '0x4e4f4e4345000000000000000000000000000000'
/** Code that nobody can run keeps the account from being cleared away as empty. */
const MARK: Hex = '0xef'

export const plantNonceKeys = (machine: VM): Promise<void> => setCode(machine, NONCES, MARK)

const slotOf = (who: Hex, key: bigint): Uint8Array => hexToBytes(keccak256(join(who, toWord(key))))

export const nonceUnder = async ({ stateManager }: VM, who: Hex, key: bigint): Promise<bigint> =>
  bytesToBigInt(await stateManager.getStorage(addressOf(NONCES), slotOf(who, key)))

export const setNonceUnder = ({ stateManager }: VM, who: Hex, key: bigint, nonce: bigint): Promise<void> =>
  stateManager.putStorage(addressOf(NONCES), slotOf(who, key), hexToBytes(toWord(nonce)))
