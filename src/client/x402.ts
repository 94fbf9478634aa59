import { decimalsOf } from '../domain/money/asset.ts'
import { fieldOf } from './guard/field.ts'
import { type Demand, limitOf, noOffer, type Payer, priceWithin } from './payer.ts'

/** As much of an `x402HTTPClient` of `@x402/core` as a payer needs. */
export interface X402Client<Required extends { accepts: object[] }, Payload> {
  getPaymentRequiredResponse(header: (name: string) => string | null): Required
  createPaymentPayload(required: Required): Promise<Payload>
  encodePaymentSignatureHeader(payload: Payload): Record<string, string>
}

export interface X402Options<Required extends { accepts: object[] }, Payload> {
  /** The program's own, with the scheme that signs. */
  readonly client: X402Client<Required, Payload>
  /** Dollars; the price of a post unless given. */
  readonly maxPrice?: string
}

/** Pays through x402 version 2, with an authorisation that the directory's facilitator settles. */
export function x402Payer<Required extends { accepts: object[] }, Payload>({
  client,
  maxPrice,
}: X402Options<Required, Payload>): Payer {
  const limit = limitOf(maxPrice)
  return {
    rail: 'x402',
    quote: async (demand) => {
      const required = requiredIn(client, demand)
      const offers = required.accepts.flatMap((offer) => {
        const read = exactIn(offer)
        return read === undefined ? [] : [{ offer, read }]
      })
      const chosen = offers.find(({ read }) => decimalsOf(read.network, read.asset) !== undefined) ?? offers[0]
      if (chosen === undefined) throw noOffer()
      return {
        ...priceWithin(chosen.read, limit),
        sign: async () => {
          const payload = await client.createPaymentPayload({ ...required, accepts: [chosen.offer] })
          return client.encodePaymentSignatureHeader(payload)
        },
      }
    },
  }
}

/** An offer that a wallet alone can sign for: a transfer authorisation, without allowances. */
function exactIn(offer: object): Demand | undefined {
  const [scheme, network, amount, asset, payee, extra] = ['scheme', 'network', 'amount', 'asset', 'payTo', 'extra'].map(
    (name) => fieldOf(offer, name),
  )
  const way = fieldOf(extra, 'assetTransferMethod')
  const isExact = scheme === 'exact' && typeof extra === 'object' && (way === undefined || way === 'eip3009')
  if (!isExact || typeof network !== 'string' || typeof amount !== 'string') return undefined
  if (typeof asset !== 'string' || typeof payee !== 'string') return undefined
  return /^eip155:\d{1,15}$/.test(network) && /^\d{1,78}$/.test(amount) ? { network, asset, payee, amount } : undefined
}

function requiredIn<Required extends { accepts: object[] }, Payload>(
  client: X402Client<Required, Payload>,
  demand: Headers,
): Required {
  try {
    return client.getPaymentRequiredResponse((name) => demand.get(name))
  } catch {
    throw noOffer()
  }
}
