import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, http } from 'viem'
import { getChainId } from 'viem/actions'
import { tempo as tempoChain } from 'viem/chains'
import { z } from 'zod'
import { type Asked, type Paid, type Payer, type PayRequest, pay, priceWithin, unpaid, unreadable } from './pay.ts'

const charge = z.object({
  amount: z.string().regex(/^\d{1,78}$/),
  currency: z.string(),
  recipient: z.string(),
  methodDetails: z.object({ chainId: z.int().positive() }),
})

/** Pays with a transfer on Tempo that the directory sends. */
export const payMpp = (request: PayRequest): Promise<Paid> => pay(askMpp, receiptIn, request)

/** What a 402 answer asks through mpp. */
export async function askMpp(headers: Headers, { account, rpcUrl, maxCost }: Payer): Promise<Asked> {
  const getClient =
    rpcUrl === undefined ? undefined : ({ chainId }: { chainId?: number | undefined }) => clientOf(rpcUrl, chainId)
  const method = tempo.charge({ account, mode: 'pull', ...(getClient && { getClient }) })
  const mppx = Mppx.create({ polyfill: false, methods: [method] })
  const prepared = await mppx.preparePayment(new Response(null, { status: 402, headers })).catch(() => {
    throw unreadable()
  })
  const asked = charge.safeParse(prepared.challenge.request)
  if (!asked.success) throw unreadable()
  const { amount, currency: asset, recipient: payee, methodDetails } = asked.data
  const price = priceWithin({ network: `tempo:${methodDetails.chainId}`, asset, payee, amount }, maxCost)
  return { price, sign: async () => ({ Authorization: await prepared.createCredential() }) }
}

async function clientOf(rpcUrl: string, chainId: number | undefined) {
  const transport = http(rpcUrl)
  const found = await getChainId(createClient({ transport }))
  if (chainId !== found)
    throw unpaid(`the node is of tempo:${found}, not of tempo:${chainId}`, 'name a node of that network')
  return createClient({ chain: { ...tempoChain, id: found }, transport })
}

function receiptIn(headers: Headers): Paid['receipt'] {
  try {
    return { transaction: Receipt.deserialize(headers.get('payment-receipt') ?? '').reference }
  } catch {
    return null
  }
}
