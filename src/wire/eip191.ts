import { keccak } from './keccak.ts'
import { recoverKey } from './recovery/recover-key.mjs'

/** Half of the curve's order: a signature with a larger s is the mirror image of one that is not. */
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex')

export const hasLowS = (signature: Uint8Array): boolean => Buffer.compare(signature.subarray(32, 64), HALF_ORDER) <= 0

/** The 32 bytes that are signed for a message. As viem's `hashMessage`, which goes through hexadecimal text. */
export function eip191Digest(message: string): Uint8Array {
  const bytes = Buffer.from(message)
  return keccak(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]))
}

/** Whose key made r and s (64 bytes) over the digest? `parity` chooses between the two keys that could have. */
export interface KeyQuestion {
  readonly digest: Uint8Array
  readonly signature: Uint8Array
  readonly parity: 0 | 1
}

/** The address, in lower case, of a key in 65 bytes. */
export const addressOfKey = (key: Uint8Array): string =>
  `0x${Buffer.from(keccak(key.subarray(1)).subarray(-20)).toString('hex')}`

/** The address whose key made r and s over the digest; `undefined` when nobody's did. */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array, parity: number): string | undefined {
  const key = parity === 0 || parity === 1 ? recoverKey(digest, signature, parity) : null
  return key === null ? undefined : addressOfKey(key)
}
