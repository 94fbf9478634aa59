import { createPublicKey, verify } from 'node:crypto'
import { recoverMessageAddress } from 'viem'
import type { OwnershipProof } from './found.ts'

const EVM_SIGNATURE = /^0x[0-9a-fA-F]{130}$/
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The DER header that turns 32 bytes into an Ed25519 public key. */
const ED25519_HEADER = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * The payee who signed the origin, if one of those seen for the host did: EIP-191 for EVM addresses, ed25519 for Solana
 * ones. A signature by anybody else proves nothing about the host.
 */
export async function signerOf({ proof, origin }: OwnershipProof, payees: readonly string[]): Promise<string | null> {
  if (EVM_SIGNATURE.test(proof)) {
    const signer = await recovered(origin, `0x${proof.slice(2)}`)
    return payees.find((payee) => payee.toLowerCase() === signer) ?? null
  }
  const signature = bytes58(proof)
  if (signature?.length !== 64) return null
  return payees.find((payee) => signedBy(payee, origin, signature)) ?? null
}

async function recovered(message: string, signature: `0x${string}`): Promise<string | null> {
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase()
  } catch {
    // Not a point on the curve, or an impossible recovery bit: nobody signed this.
    return null
  }
}

function signedBy(payee: string, message: string, signature: Uint8Array): boolean {
  const key = bytes58(payee)
  if (key?.length !== 32) return false
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([ED25519_HEADER, key]), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(message), publicKey, signature)
  } catch {
    // 32 bytes that are no public key.
    return false
  }
}

/** Bytes of a base58 text; `undefined` when it is none, or longer than anything signed. */
export function bytes58(text: string): Uint8Array | undefined {
  if (text === '' || text.length > 100) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = BASE58.indexOf(letter)
    if (digit < 0) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hex = value === 0n ? '' : value.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')])
}
