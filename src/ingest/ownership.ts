import { bytes58 } from '../wire/base58.ts'
import { isEd25519Valid } from '../wire/ed25519.ts'
import { eip191Digest, recoverAddress } from '../wire/eip191.ts'
import type { OwnershipProof } from './found.ts'

const EVM_SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/**
 * The payee who signed the origin, if one of those seen for the host did: EIP-191 for EVM addresses, ed25519 for Solana
 * ones. A signature by anybody else proves nothing about the host. Other writings of a signature are taken here: a seller's
 * document is read loosely, and a claim has no second copy to guard against.
 */
export function signerOf({ proof, origin }: OwnershipProof, payees: readonly string[]): string | null {
  if (EVM_SIGNATURE.test(proof)) {
    const bytes = Buffer.from(proof.slice(2), 'hex')
    const v = bytes[64] ?? 0
    const signer = recoverAddress(eip191Digest(origin), bytes.subarray(0, 64), v >= 27 ? v - 27 : v)
    return payees.find((payee) => payee.toLowerCase() === signer) ?? null
  }
  const signature = bytes58(proof)
  if (signature?.length !== 64) return null
  return payees.find((payee) => signedBy(payee, origin, signature)) ?? null
}

function signedBy(payee: string, message: string, signature: Uint8Array): boolean {
  const key = bytes58(payee)
  return key !== undefined && isEd25519Valid(key, Buffer.from(message), signature)
}
