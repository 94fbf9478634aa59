import { type Common, type CustomCrypto, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { calculateSigRecovery } from '@ethereumjs/util'
import type { Hex } from 'viem'
import { keccak } from '../../../src/wire/keccak.ts'
import { recoverKey } from '../../../src/wire/recovery/recover-key.mjs'

export const GAS_LIMIT = 30_000_000n
/** In wei a unit of gas. The base fee stands still, so what a transaction costs is known beforehand. */
export const BASE_FEE = 1_000_000_000n
export const PRIORITY_FEE = 1_000_000_000n

/** The ten accounts of every development chain, of the words "test test … junk". They belong to nobody. */
export const DEVELOPMENT_ACCOUNTS: readonly Hex[] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
]

/** Hashes and signatures in WebAssembly and native code: in JavaScript they are a quarter of what a chain does. */
const customCrypto: CustomCrypto = { keccak256: keccak, ecrecover }

export const createRules = (chainId: number): Common =>
  createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Prague, customCrypto })

/** The key that signed, in 64 bytes. Throws when none did. */
function ecrecover(digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const parity = calculateSigRecovery(v, chainId)
  if (parity !== 0n && parity !== 1n) throw new Error('a signature is even or odd')
  const signature = new Uint8Array(64)
  signature.set(r, 32 - r.length)
  signature.set(s, 64 - s.length)
  const key = recoverKey(digest, signature, parity === 0n ? 0 : 1)
  if (key === null) throw new Error('no key made this signature')
  return key.subarray(1)
}
