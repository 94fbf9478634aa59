import { type JsonWebKey, KeyObject } from 'node:crypto'
import {
  extractJWSHeader,
  extractPublicKeyFromKid,
  verifyReceiptSignatureEIP712,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { toHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { networkKey } from '../../domain/network.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import { text58 } from '../../wire/base58.ts'
import type { SeenPayee } from './proof.ts'

/** What the receipt has to agree with. */
export interface ReceiptOf {
  /** Who was seen to be paid on the route. */
  readonly payees: readonly SeenPayee[]
  /** The address that was reviewed. */
  readonly url: string
  readonly payer?: string
  /** Receipts may leave the transaction out; one that names another is not this payment's. */
  readonly transaction?: string
  /** Where the payment was found, and when it was made: a receipt of another call of the same buyer is not this one's. */
  readonly network?: string
  readonly paidUs?: TimestampUs
}

/** How far a seller's clock may run behind the chain's. */
const CLOCK_TOLERANCE_S = 120
/** A receipt comes with the answer: one that was issued much later is of another call. */
const LATEST_S = 3600

export type ReceiptFinding =
  | { readonly ok: true; readonly signer: string }
  | { readonly ok: false; readonly reason: string }

const PAYLOAD = z.object({
  version: z.literal(1),
  network: z.string(),
  resourceUrl: z.string(),
  payer: z.string(),
  issuedAt: z.int().min(0),
  transaction: z.string().default(''),
})
const RECEIPT = z.discriminatedUnion('format', [
  z.object({ format: z.literal('eip712'), payload: PAYLOAD, signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/) }),
  z.object({ format: z.literal('jws'), signature: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/) }),
])
type Signed = z.output<typeof RECEIPT>

/**
 * Whether a payee of the route has signed, by the x402 offer-receipt extension, that the reviewed address was paid for.
 * Says so offline: nothing is fetched.
 */
export async function verifyReceipt(
  receipt: Readonly<Record<string, unknown>>,
  expected: ReceiptOf,
): Promise<ReceiptFinding> {
  const form = RECEIPT.safeParse(receipt)
  if (!form.success) return refused('it is not a signed receipt of the x402 offer-receipt extension')
  const signed = await signedBy(form.data)
  if (signed === undefined) return refused('its signature is not valid, or not of a kind that can be checked offline')

  const { signer, payload } = signed
  const key = walletKey(signer)
  if (!expected.payees.some(({ payee, isSharer }) => !isSharer && walletKey(payee) === key)) {
    return refused('whoever signed it was never seen to be paid for this route')
  }
  if (!isSameAddress(payload.resourceUrl, expected.url))
    return refused('it names another address than the reviewed one')
  if (expected.payer !== undefined && walletKey(payload.payer) !== walletKey(expected.payer)) {
    return refused('it names another payer')
  }
  if (expected.transaction !== undefined && !isSameOrLeftOut(payload.transaction, expected.transaction)) {
    return refused('it names another transaction')
  }
  if (expected.network !== undefined && networkKey(payload.network) !== networkKey(expected.network)) {
    return refused('it names another network')
  }
  if (expected.paidUs !== undefined && !isIssuedFor(payload.issuedAt, expected.paidUs)) {
    return refused('it was issued at another time than the payment was made')
  }
  return { ok: true, signer }
}

const isIssuedFor = (issuedAt: number, paidUs: TimestampUs): boolean => {
  const afterS = issuedAt - paidUs / 1_000_000
  return afterS >= -CLOCK_TOLERANCE_S && afterS <= LATEST_S
}

const refused = (reason: string): ReceiptFinding => ({ ok: false, reason })

/** The library throws for everything that does not verify. */
async function signedBy(receipt: Signed) {
  try {
    return receipt.format === 'eip712'
      ? await verifyReceiptSignatureEIP712(receipt)
      : await signedByKey(receipt.signature)
  } catch {
    return undefined
  }
}

/** The key must be in the receipt itself: for other names of keys the library fetches whatever address they hold. */
async function signedByKey(signature: string) {
  const { kid } = extractJWSHeader(signature)
  if (kid === undefined || !/^did:(?:key|jwk):/.test(kid)) return undefined
  const key = await extractPublicKeyFromKid(kid)
  const payload = PAYLOAD.parse(await verifyReceiptSignatureJWS({ format: 'jws', signature }, key))
  const signer = key instanceof KeyObject ? walletOf(key.export({ format: 'jwk' })) : undefined
  return signer === undefined ? undefined : { signer, payload }
}

const UNCOMPRESSED = Buffer.from([4])

/** The wallet that a key is. */
function walletOf({ crv, x = '', y = '' }: JsonWebKey): string | undefined {
  const [first, second] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  if (crv === 'Ed25519') return text58(first)
  return crv === 'secp256k1' ? publicKeyToAddress(toHex(Buffer.concat([UNCOMPRESSED, first, second]))) : undefined
}

/** Two writings of one address; the path stays as written. */
function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && withoutFragment(one) === withoutFragment(other)
}

function withoutFragment(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}

/** An EVM hash is one in either case; a Solana one is not. */
const isSameOrLeftOut = (named: string, expected: string): boolean =>
  named === '' ||
  named === expected ||
  (/^0x[0-9a-f]{64}$/i.test(named) && named.toLowerCase() === expected.toLowerCase())
