import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { LocalAccount } from 'viem'
import { z } from 'zod'
import { decimalsOf } from '../domain/money/asset.ts'
import { limitOf, noOffer, type Payer, priceWithin } from './payer.ts'

export interface X402Options {
  readonly account: LocalAccount
  /** Dollars; the price of a post unless given. */
  readonly maxPrice?: string
}

/** An offer that a wallet alone can sign for: a transfer authorisation, without allowances. */
const exact = z.object({
  scheme: z.literal('exact'),
  network: z.string().regex(/^eip155:\d{1,15}$/),
  amount: z.string().regex(/^\d{1,78}$/),
  asset: z.string(),
  payTo: z.string(),
  extra: z.object({ assetTransferMethod: z.literal('eip3009').optional() }),
})

/** Pays through x402 version 2, with an authorisation that the directory's facilitator settles. */
export function x402Payer({ account, maxPrice }: X402Options): Payer {
  const limit = limitOf(maxPrice)
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
  // The limit here is the payer's own; the one of the library is a dollar for tokens that it knows.
  client.setSpendControls(false)
  const transport = new x402HTTPClient(client)
  return {
    rail: 'x402',
    quote: async (demand) => {
      const required = requiredIn(transport, demand)
      const offers = required.accepts.flatMap((offer) => {
        const read = exact.safeParse(offer)
        return read.success ? [{ offer, read: read.data }] : []
      })
      const chosen = offers.find(({ read }) => decimalsOf(read.network, read.asset) !== undefined) ?? offers[0]
      if (chosen === undefined) throw noOffer()
      const { network, asset, payTo: payee, amount } = chosen.read
      return {
        ...priceWithin({ network, asset, payee, amount }, limit),
        sign: async () => {
          const payload = await transport.createPaymentPayload({ ...required, accepts: [chosen.offer] })
          return transport.encodePaymentSignatureHeader(payload)
        },
      }
    },
  }
}

function requiredIn(transport: x402HTTPClient, demand: Headers) {
  try {
    return transport.getPaymentRequiredResponse((name) => demand.get(name))
  } catch {
    throw noOffer()
  }
}
