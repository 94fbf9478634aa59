import { Mppx, tempo } from 'mppx/server'
import type { Tempo } from '../chain/tempo.ts'
import type { SampleRoute, SampleSeller } from './sellers.ts'

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
  const open = (seller: SampleSeller) =>
    Mppx.create({
      realm: seller.host,
      secretKey,
      methods: [
        tempo.charge({
          currency: chain.currency,
          recipient: payeeOf(seller),
          getClient: () => chain.client,
          supportedModes: ['pull'],
        }),
      ],
    })
  const shops = new Map<string, ReturnType<typeof open>>()
  return {
    take: async (seller, route, request) => {
      const shop = shops.get(seller.host) ?? open(seller)
      shops.set(seller.host, shop)
      const answer = await shop.tempo.charge({ amount: route.asks })(request)
      const response = answer.status === 402 ? answer.challenge : answer.withReceipt(new Response())
      return { paid: answer.status !== 402, headers: Object.fromEntries(response.headers) }
    },
  }
}
