import { z } from 'zod'
import { LATEST_US, type TimestampUs } from '../../domain/timestamp.ts'
import type { Credential } from '../rail.ts'
import { evmPayload } from './evm-payload.ts'
import { extensionsFor, identifierIn } from './extensions.ts'
import type { FacilitatorPayment } from './facilitator.ts'
import { malformed } from './malformed.ts'
import { networkOfName, type Offer, TIMEOUT_S } from './offer.ts'
import { requirementsV1, requirementsV2, resourceOf } from './requirements.ts'
import { payeeOf, readSolanaTransfer } from './solana-transfer.ts'

/** A payment header that was read: what it says before anything of it is held against an offer. */
export interface Envelope {
  readonly version: 1 | 2
  readonly scheme: string
  /** CAIP-2 form. */
  readonly network: string
  /** Null: version 1, which names none. */
  readonly asset: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly identifier: string | null
  /** The address that the demand was for, as the client repeats it; null when it does not. */
  readonly resource: string | null
}

const payload = z.record(z.string(), z.unknown())
const v1 = z.object({ x402Version: z.literal(1), scheme: z.string(), network: z.string(), payload })
const v2 = z.object({
  x402Version: z.literal(2),
  accepted: z.object({ scheme: z.string(), network: z.string(), asset: z.string() }),
  payload,
  resource: z.object({ url: z.string() }).optional(),
  extensions: z.unknown().optional(),
})

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const LONGEST = 16_384

function jsonIn(name: string, header: string): unknown {
  if (header.length > LONGEST || !BASE64.test(header)) throw malformed(`${name} is not base64.`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64')))
  } catch {
    // The reason is the client's own text and of no use to it.
    throw malformed(`${name} is not the base64 form of a JSON object.`)
  }
}

export function readV1(header: string): Envelope {
  const found = v1.safeParse(jsonIn('X-PAYMENT', header))
  if (!found.success) throw malformed('X-PAYMENT does not hold a payment of x402 version 1.')
  const { scheme, network, payload } = found.data
  return { version: 1, scheme, network: networkOfName(network), asset: null, payload, identifier: null, resource: null }
}

export function readV2(header: string): Envelope {
  const found = v2.safeParse(jsonIn('PAYMENT-SIGNATURE', header))
  if (!found.success) throw malformed('PAYMENT-SIGNATURE does not hold a payment of x402 version 2.')
  const { accepted, payload, extensions, resource } = found.data
  const identifier = identifierIn(extensions)
  if (identifier === null)
    throw malformed('The payment-identifier has 16 to 128 letters, digits, hyphens or underscores.')
  const { scheme, asset } = accepted
  const network = networkOfName(accepted.network)
  return {
    version: 2,
    scheme,
    network,
    asset,
    payload,
    identifier: identifier ?? null,
    resource: resource?.url ?? null,
  }
}

/** What the facilitator is asked about: the payer's signed part as it came, everything else in our own words. */
function forFacilitator(
  envelope: Envelope,
  signed: unknown,
  offer: Offer,
  resource: string,
): FacilitatorPayment | null {
  if (envelope.version === 1) {
    const paymentRequirements = requirementsV1(offer, resource)
    if (paymentRequirements === undefined) return null
    const { scheme, network } = paymentRequirements
    return { x402Version: 1, paymentPayload: { x402Version: 1, scheme, network, payload: signed }, paymentRequirements }
  }
  const accepted = requirementsV2(offer)
  const extensions = extensionsFor(envelope.identifier)
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, resource: resourceOf(resource), accepted, payload: signed, extensions },
    paymentRequirements: accepted,
  }
}

export function evmCredential(envelope: Envelope, offer: Offer | undefined, resource: string): Credential {
  const read = evmPayload.safeParse(envelope.payload)
  if (!read.success) throw malformed('The payload is not a signed EIP-3009 authorisation.')
  const { from, to, value, validBefore, nonce } = read.data.authorization
  const asset = envelope.asset ?? offer?.asset ?? ''
  const expiresUs = BigInt(validBefore) * 1_000_000n
  return {
    key: [envelope.network, asset, from, nonce].join(':').toLowerCase(),
    network: envelope.network,
    asset,
    payer: from,
    payee: to,
    amount: value,
    expiresUs: expiresUs < BigInt(LATEST_US) ? Number(expiresUs) : LATEST_US,
    identifier: envelope.identifier,
    raw: JSON.stringify(offer ? forFacilitator(envelope, read.data, offer, resource) : null),
  }
}

const solanaPayload = z.object({ transaction: z.string().regex(BASE64) })

/** A transaction ends with its blockhash, about a minute and a half after it was made, which it does not say. */
export function solanaCredential(
  envelope: Envelope,
  offer: Offer | undefined,
  resource: string,
  nowUs: TimestampUs,
): Credential {
  const read = solanaPayload.safeParse(envelope.payload)
  const transfer = read.success ? readSolanaTransfer(Buffer.from(read.data.transaction, 'base64')) : undefined
  if (!read.success || transfer === undefined) {
    throw malformed('The payload is not a Solana transaction with one TransferChecked instruction.')
  }
  // The facilitator knows by itself whether the fee payer is one of its own.
  const named = offer && { ...offer, extra: { ...offer.extra, feePayer: transfer.feePayer } }
  return {
    key: `${envelope.network}:${transfer.digest}`.toLowerCase(),
    network: envelope.network,
    asset: transfer.mint,
    payer: transfer.payer,
    payee: offer ? payeeOf(transfer, offer) : transfer.destination,
    amount: transfer.amount,
    expiresUs: nowUs + TIMEOUT_S * 1_000_000,
    identifier: envelope.identifier,
    raw: JSON.stringify(named ? forFacilitator(envelope, read.data, named, resource) : null),
  }
}

const held = z
  .object({
    x402Version: z.union([z.literal(1), z.literal(2)]),
    paymentPayload: z.looseObject({ payload }),
    paymentRequirements: payload,
  })
  .nullable()
export type Held = z.output<typeof held> & object

/** What `raw` holds; `undefined` when there is nothing to settle with. */
export function heldIn(raw: string | null): Held | undefined {
  try {
    return held.parse(raw === null ? null : JSON.parse(raw)) ?? undefined
  } catch {
    // Stored by an older version, or damaged: the chain still knows what became of the payment.
    return undefined
  }
}
