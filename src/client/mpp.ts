import { Mppx, tempo } from 'mppx/client'
import { createClient, http, type LocalAccount, type Client as ViemClient } from 'viem'
import { getChainId } from 'viem/actions'
import { tempo as tempoChain } from 'viem/chains'
import { z } from 'zod'
import { limitOf, noOffer, type Payer, priceWithin, UnpaidError } from './payer.ts'

export interface MppOptions {
  readonly account: LocalAccount
  /** Dollars; the price of a post unless given. The network's own fee comes on top. */
  readonly maxPrice?: string
  /** A node of the Tempo network that is paid on; a public one unless given. */
  readonly rpcUrl?: string
  /** A client of that network, in place of `rpcUrl`. */
  readonly getClient?: (chain: { readonly chainId?: number | undefined }) => ViemClient | Promise<ViemClient>
}

const charge = z.object({
  amount: z.string().regex(/^\d{1,78}$/),
  currency: z.string(),
  recipient: z.string(),
  methodDetails: z.object({ chainId: z.int().positive() }),
})

/** Pays through mpp, with a transfer on Tempo that the directory sends (pull mode). */
export function mppPayer({ account, maxPrice, rpcUrl, getClient = clientOn(rpcUrl) }: MppOptions): Payer {
  const limit = limitOf(maxPrice)
  const method = tempo.charge({ account, mode: 'pull', ...(getClient && { getClient }) })
  const mppx = Mppx.create({ polyfill: false, methods: [method] })
  return {
    rail: 'mpp',
    quote: async (demand) => {
      const prepared = await mppx.preparePayment(new Response(null, { status: 402, headers: demand })).catch(() => {
        throw noOffer()
      })
      const asked = charge.safeParse(prepared.challenge.request)
      if (!asked.success) throw noOffer()
      const { amount, currency: asset, recipient: payee, methodDetails } = asked.data
      return {
        ...priceWithin({ network: `tempo:${methodDetails.chainId}`, asset, payee, amount }, limit),
        sign: async () => ({ Authorization: await prepared.createCredential() }),
      }
    },
  }
}

function clientOn(rpcUrl: string | undefined): MppOptions['getClient'] {
  if (rpcUrl === undefined) return undefined
  // Its address may hold a key.
  const transport = http(rpcUrl, { fetchOptions: { redirect: 'error' } })
  return async ({ chainId }) => {
    const found = await getChainId(createClient({ transport }))
    if (chainId !== found)
      throw new UnpaidError(`the node is of tempo:${found}, not of tempo:${chainId}`, 'name a node of that network')
    return createClient({ chain: { ...tempoChain, id: found }, transport })
  }
}
