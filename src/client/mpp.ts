import { Mppx, tempo } from 'mppx/client'
import type { LocalAccount, Client as ViemClient } from 'viem'
import { z } from 'zod'
import { checkPrice, limitOf, type Payer, UnpaidError } from './payer.ts'

export interface MppOptions {
  readonly account: LocalAccount
  /** Dollars; the price of a post unless given. The network's own fee comes on top. */
  readonly maxPrice?: string
  /** A client of the Tempo network that is paid on; the public one unless given. */
  readonly getClient?: (chain: { readonly chainId?: number | undefined }) => ViemClient | Promise<ViemClient>
}

const charge = z.object({
  amount: z.string().regex(/^\d{1,78}$/),
  currency: z.string(),
  methodDetails: z.object({ chainId: z.int().positive() }),
})

/** Pays through mpp, with a transfer on Tempo that the directory sends (pull mode). */
export function mppPayer({ account, maxPrice, getClient }: MppOptions): Payer {
  const limit = limitOf(maxPrice)
  const method = tempo.charge({ account, mode: 'pull', ...(getClient && { getClient }) })
  const mppx = Mppx.create({ polyfill: false, methods: [method] })
  return {
    rail: 'mpp',
    pay: async (demand) => {
      const prepared = await mppx.preparePayment(new Response(null, { status: 402, headers: demand }))
      const asked = charge.safeParse(prepared.challenge.request)
      if (!asked.success) throw new UnpaidError('the 402 answer asks for no payment that this wallet can make')
      const { amount, currency: asset, methodDetails } = asked.data
      checkPrice({ network: `tempo:${methodDetails.chainId}`, asset, amount }, limit)
      return { Authorization: await prepared.createCredential() }
    },
  }
}
