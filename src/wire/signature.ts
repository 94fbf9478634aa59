import { walletKey, walletKind } from '../domain/wallet.ts'
import { bytes58 } from './base58.ts'
import { isEd25519Valid } from './ed25519.ts'
import { eip191Digest, hasLowS, type KeyQuestion, recoverAddress } from './eip191.ts'

/**
 * What a signature is worth without asking anybody. `not-canonical`: the wallet did sign, and the same signature has
 * another, canonical writing. `needs-chain`: no ordinary wallet made it, but a smart wallet could still accept it.
 */
export type SignatureFinding = 'valid' | 'invalid' | 'not-canonical' | 'needs-chain'

/** In bytes. Whatever a smart wallet wraps fits into a request many times over. */
const LONGEST_SIGNATURE = 6000
const ERC6492_SUFFIX = '6492'.repeat(16)

/** Ends with the mark of a wallet that is not deployed yet. */
export const isErc6492 = (signature: string): boolean => signature.endsWith(ERC6492_SUFFIX)

/**
 * Whether the wallet (in the form of `parseWallet`) signed the message: EIP-191 by 65 bytes as lower-case `0x` hex with a
 * low s and v 27 or 28; ed25519 by 64 bytes as base58. Nothing else is `valid`.
 */
export function checkSignature(wallet: string, message: string, signature: string): SignatureFinding {
  if (!message.isWellFormed()) return 'invalid'
  switch (walletKind(wallet)) {
    case 'evm':
      return checkEip191(walletKey(wallet), message, signature)
    case 'solana':
      return isSolanaValid(wallet, message, signature) ? 'valid' : 'invalid'
    default:
      return 'invalid'
  }
}

function isSolanaValid(wallet: string, message: string, signature: string): boolean {
  const [key, bytes] = [bytes58(wallet), bytes58(signature)]
  return key !== undefined && bytes !== undefined && isEd25519Valid(key, Buffer.from(message), bytes)
}

/**
 * The question whose answer tells whether a signature is an ordinary wallet's in its canonical form; `undefined` of one in
 * any other form.
 */
export function keyQuestion(message: string, signature: string): KeyQuestion | undefined {
  if (!CANONICAL.test(signature) || !message.isWellFormed()) return undefined
  const bytes = Buffer.from(signature.slice(2), 'hex')
  if (!hasLowS(bytes)) return undefined
  return { digest: eip191Digest(message), signature: bytes.subarray(0, 64), parity: bytes[64] === 27 ? 0 : 1 }
}

/** The last byte is 27 or 28. */
const CANONICAL = /^0x[0-9a-f]{128}1[bc]$/

function checkEip191(wallet: string, message: string, signature: string): SignatureFinding {
  const question = keyQuestion(message, signature)
  if (question && recoverAddress(question.digest, question.signature, question.parity) === wallet) return 'valid'
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(signature) || signature.length > 2 + 2 * LONGEST_SIGNATURE) return 'invalid'
  if (signature !== signature.toLowerCase()) return 'not-canonical'
  const digest = eip191Digest(message)
  return otherWritings(Buffer.from(signature.slice(2), 'hex')).some(
    ([rs, parity]) => recoverAddress(digest, rs, parity) === wallet,
  )
    ? 'not-canonical'
    : 'needs-chain'
}

/** What a lenient library would also read these bytes as: v 0 or 1, v of a chain (EIP-155), or 64 bytes (EIP-2098). */
function otherWritings(bytes: Buffer): (readonly [rs: Uint8Array, parity: number])[] {
  if (bytes.length === 64) {
    const rs = Buffer.from(bytes)
    const top = rs[32] ?? 0
    rs[32] = top & 0x7f
    return [[rs, top >> 7]]
  }
  if (bytes.length !== 65) return []
  return [0, 1].map((parity) => [bytes.subarray(0, 64), parity] as const)
}
