import type { SignedTerms } from '../../domain/offers/signed-offer.ts'
import { hasLowS, recoverAddress } from '../eip191.ts'
import { keccak } from '../keccak.ts'

const bytesOf = (text: string): Uint8Array => keccak(Buffer.from(text))
const wordOf = (value: number): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const hashOf = (...words: readonly Uint8Array[]): Uint8Array => keccak(Buffer.concat(words))

interface Known {
  readonly domain: Uint8Array
  readonly type: Uint8Array
}

let known: Known | undefined

/** What is the same for all offers, hashed by the first: that of every network is signed as of chain 1, in a contract of nobody's. */
const ofAllOffers = (): Known => {
  known ??= {
    domain: hashOf(
      bytesOf('EIP712Domain(string name,string version,uint256 chainId)'),
      bytesOf('x402 offer'),
      bytesOf('1'),
      wordOf(1),
    ),
    type: bytesOf(
      'Offer(uint256 version,string resourceUrl,string scheme,string network,string asset,string payTo,string amount,uint256 validUntil)',
    ),
  }
  return known
}

/** The 32 bytes that are signed for an offer. */
const offerDigest = (terms: SignedTerms): Uint8Array => {
  const texts = [terms.resourceUrl, terms.scheme, terms.network, terms.asset, terms.payTo, terms.amount].map(bytesOf)
  const { domain, type } = ofAllOffers()
  const offer = hashOf(type, wordOf(1), ...texts, wordOf(terms.validUntil))
  return hashOf(Buffer.from([0x19, 0x01]), domain, offer)
}

/** The wallet, in lower case, that signed an offer; `undefined` when nobody did, or not in the one canonical form. */
export function offerSigner(terms: SignedTerms, signature: string): string | undefined {
  if (!/^0x[0-9a-f]{130}$/.test(signature)) return undefined
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const parity = (bytes[64] ?? 0) - 27
  return hasLowS(bytes) ? recoverAddress(offerDigest(terms), bytes.subarray(0, 64), parity) : undefined
}
