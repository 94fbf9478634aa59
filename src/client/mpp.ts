import { fieldOf } from './guard/field.ts'
import { type Demand, limitOf, noOffer, type Payer, priceWithin } from './payer.ts'

/** As much of a client of mppx as a payer needs. */
export interface MppClient {
  preparePayment(response: Response): Promise<{
    readonly challenge: { readonly method: string; readonly intent: string; readonly request: object }
    createCredential(): Promise<string>
  }>
}

export interface MppOptions {
  /** The program's own, made by `Mppx.create` with a Tempo charge in pull mode. */
  readonly client: MppClient
  /** Dollars; the price of a post unless given. The network's own fee comes on top. */
  readonly maxPrice?: string
}

/** Pays through mpp, with a transfer on Tempo that the directory sends (pull mode). */
export function mppPayer({ client, maxPrice }: MppOptions): Payer {
  const limit = limitOf(maxPrice)
  return {
    rail: 'mpp',
    quote: async (demand) => {
      const prepared = await client.preparePayment(new Response(null, { status: 402, headers: demand })).catch(() => {
        throw noOffer()
      })
      return {
        ...priceWithin(chargeIn(prepared.challenge), limit),
        sign: async () => ({ Authorization: await prepared.createCredential() }),
      }
    },
  }
}

/** A session or a subscription takes more than its amount: nothing but a charge is paid. */
function chargeIn({ method, intent, request }: { method: string; intent: string; request: object }): Demand {
  const [amount, asset, payee] = ['amount', 'currency', 'recipient'].map((name) => fieldOf(request, name))
  const chainId = fieldOf(fieldOf(request, 'methodDetails'), 'chainId')
  const isCharge = method === 'tempo' && intent === 'charge'
  const isSound = typeof amount === 'string' && /^\d{1,78}$/.test(amount) && Number.isSafeInteger(chainId)
  if (!isCharge || !isSound || typeof asset !== 'string' || typeof payee !== 'string') throw noOffer()
  return { network: `tempo:${chainId}`, asset, payee, amount }
}
