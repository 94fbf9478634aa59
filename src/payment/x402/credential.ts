import { z } from 'zod'
import type { Problem } from '../../domain/problem.ts'
import { LATEST_US, type TimestampUs } from '../../domain/time/timestamp.ts'
import { networkKind } from '../nodes.ts'
import type { Credential, PaidRequest, Unfit } from '../rail.ts'
import { BASE64, type Envelope, envelopeIn, payload } from './envelope.ts'
import { evmPayload } from './evm/payload.ts'
import { extensionsFor } from './extensions.ts'
import type { FacilitatorPayment } from './facilitator.ts'
import { type Offer, TIMEOUT_S } from './offer.ts'
import { malformed } from './problems.ts'
import { unfit } from './refusals.ts'
import { requirementsV1, requirementsV2, resourceOf } from './requirements.ts'
import { payeeOf, readSolanaTransfer } from './solana/transfer.ts'

export interface CredentialDeps {
  readonly offerOn: (network: string) => Offer | undefined
  readonly nowUs: () => TimestampUs
  /** What a payment of version 1, which names none, is in where there is no offer. */
  readonly asset?: string | undefined
}

/** The credential of a request, if it has one. Rejects, with what `refuse` says, when it is of another kind. */
export async function credentialIn(
  { offerOn, nowUs, asset = '' }: CredentialDeps,
  request: PaidRequest,
  refuse: (fault: Unfit) => Promise<Problem>,
): Promise<Credential | undefined> {
  const envelope = envelopeIn(request)
  if (envelope === undefined) return undefined
  const { scheme, network } = envelope
  if (scheme !== 'exact') throw await refuse(unfit('unsupported_scheme', 'Only the scheme exact is taken here.'))
  const kind = networkKind(network)
  const named = { ...envelope, asset: envelope.asset ?? offerOn(network)?.asset ?? asset }
  if (kind === 'eip155') return evmCredential(named, offerOn(network), request.resource)
  if (kind === 'solana') return solanaCredential(envelope, offerOn(network), request.resource, nowUs())
  throw await refuse(unfit('invalid_network', 'Payments on this network are not taken here.'))
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

function evmCredential(
  envelope: Envelope & { readonly asset: string },
  offer: Offer | undefined,
  resource: string,
): Credential {
  const read = evmPayload.safeParse(envelope.payload)
  if (!read.success) throw malformed('The payload is not a signed EIP-3009 authorisation.')
  const { from, to, value, validBefore, nonce } = read.data.authorization
  const { asset } = envelope
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
function solanaCredential(
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
