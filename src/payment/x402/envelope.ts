import { z } from 'zod'
import type { PaidRequest } from '../rail.ts'
import { identifierIn } from './extensions.ts'
import { networkOfName } from './offer.ts'
import { malformed } from './problems.ts'

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

export const payload = z.record(z.string(), z.unknown())
const v1 = z.object({ x402Version: z.literal(1), scheme: z.string(), network: z.string(), payload })
const v2 = z.object({
  x402Version: z.literal(2),
  accepted: z.object({ scheme: z.string(), network: z.string(), asset: z.string() }),
  payload,
  resource: z.object({ url: z.string() }).optional(),
  extensions: z.unknown().optional(),
})

export const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
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

function readV1(header: string): Envelope {
  const found = v1.safeParse(jsonIn('X-PAYMENT', header))
  if (!found.success) throw malformed('X-PAYMENT does not hold a payment of x402 version 1.')
  const { scheme, network, payload } = found.data
  return { version: 1, scheme, network: networkOfName(network), asset: null, payload, identifier: null, resource: null }
}

function readV2(header: string): Envelope {
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

/** What the request says it pays with, in the newest version that it speaks; `undefined` when it says nothing. */
export function envelopeIn(request: PaidRequest): Envelope | undefined {
  const second = request.header('payment-signature')
  const first = request.header('x-payment')
  if (second !== undefined) return readV2(second)
  return first === undefined ? undefined : readV1(first)
}
