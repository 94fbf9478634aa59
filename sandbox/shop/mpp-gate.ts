import { Challenge } from 'mppx'
import { Mppx, tempo } from 'mppx/server'
import type { Tempo } from '../chain/tempo.ts'
import type { SampleRoute, SampleSeller } from './seller.ts'

/** How a sample seller takes payment through mpp: with the rail's own kit. */
export interface MppGate {
  /** Answers the demand, or the receipt's headers when the request pays. */
  take(
    seller: SampleSeller,
    route: SampleRoute,
    request: Request,
  ): Promise<{ paid: boolean; headers: Record<string, string> }>
}

export interface MppGateOptions {
  readonly chain: Pick<Tempo, 'client' | 'currency'>
  readonly secretKey: string
  payeeOf(seller: SampleSeller): `0x${string}`
}

export function mppGate({ chain, secretKey, payeeOf }: MppGateOptions): MppGate {
  const open = (realm: string, recipient: `0x${string}`, currency: `0x${string}`) =>
    Mppx.create({
      realm,
      secretKey,
      methods: [
        tempo.charge({
          currency,
          recipient,
          getClient: () => chain.client,
          supportedModes: ['pull'],
        }),
      ],
    })
  const shops = new Map<string, ReturnType<typeof open>>()
  return {
    take: async (seller, route, request) => {
      const { payee = payeeOf(seller), asset = chain.currency, decoy } = route.terms ?? {}
      const key = [seller.host, payee, asset].join(' ')
      const shop = shops.get(key) ?? open(seller.host, payee, asset)
      shops.set(key, shop)
      const answer = await shop.tempo.charge({ amount: route.asks })(request)
      const response = answer.status === 402 ? answer.challenge : answer.withReceipt(new Response())
      const headers = Object.fromEntries(response.headers)
      const asked = headers['www-authenticate']
      if (asked !== undefined && decoy !== undefined)
        headers['www-authenticate'] = `${byCard(seller.host, decoy)}, ${asked}`
      return { paid: answer.status !== 402, headers }
    },
  }
}

/** A way of paying that the sample buyers do not have. */
const byCard = (realm: string, price: string): string =>
  Challenge.serialize(
    Challenge.from({
      ...{ id: 'card', realm, method: 'stripe', intent: 'charge' },
      request: { amount: String(Number(price) * 100), currency: 'usd' },
    }),
  )
