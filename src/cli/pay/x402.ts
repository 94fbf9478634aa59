import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { z } from 'zod'
import { decimalsOf } from '../../domain/asset.ts'
import { type Asked, type Paid, type Payer, type PayRequest, pay, priceWithin, unreadable } from './pay.ts'

/** An offer that a wallet alone can sign for: a transfer authorisation, without allowances. */
const exact = z.object({
  scheme: z.literal('exact'),
  network: z.string().regex(/^eip155:\d{1,15}$/),
  amount: z.string().regex(/^\d{1,78}$/),
  asset: z.string(),
  payTo: z.string(),
  extra: z.object({ assetTransferMethod: z.literal('eip3009').optional() }),
})

/** Pays with an authorisation that the directory's facilitator settles. */
export const payX402 = (request: PayRequest): Promise<Paid> => pay(askX402, receiptIn, request)

/** What a 402 answer asks through x402, version 2. Of several offers, the first in a known dollar. */
export async function askX402(headers: Headers, { account, maxCost }: Payer): Promise<Asked> {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
  // The limit below is the payer's own; the one of the library is a dollar for tokens that it knows.
  client.setSpendControls(false)
  const transport = new x402HTTPClient(client)
  const required = requiredIn(transport, headers)
  const offers = required.accepts.flatMap((offer) => {
    const read = exact.safeParse(offer)
    return read.success ? [{ offer, read: read.data }] : []
  })
  const chosen = offers.find(({ read }) => decimalsOf(read.network, read.asset) !== undefined) ?? offers[0]
  if (!chosen) throw unreadable()
  const { network, asset, payTo: payee, amount } = chosen.read
  const price = priceWithin({ network, asset, payee, amount }, maxCost)
  return {
    price,
    sign: async () => {
      const payload = await transport.createPaymentPayload({ ...required, accepts: [chosen.offer] })
      return transport.encodePaymentSignatureHeader(payload)
    },
  }
}

function requiredIn(transport: x402HTTPClient, headers: Headers) {
  try {
    return transport.getPaymentRequiredResponse((name) => headers.get(name))
  } catch {
    throw unreadable()
  }
}

function receiptIn(headers: Headers): Paid['receipt'] {
  const transport = new x402HTTPClient(new x402Client())
  try {
    const { success, transaction } = transport.getPaymentSettleResponse((name) => headers.get(name))
    return success && transaction !== '' ? { transaction } : null
  } catch {
    return null
  }
}
