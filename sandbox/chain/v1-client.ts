import type { Address, LocalAccount } from 'viem'
import { z } from 'zod'
import { signAuthorization } from './authorization.ts'
import type { Base } from './base.ts'

/** As much of a version 1 answer as that version's clients insist on. */
const demand = z.object({
  x402Version: z.literal(1),
  accepts: z.array(
    z.object({
      scheme: z.literal('exact'),
      network: z.string(),
      maxAmountRequired: z.string().regex(/^\d+$/),
      resource: z.url(),
      description: z.string(),
      mimeType: z.string(),
      outputSchema: z.record(z.string(), z.unknown()).optional(),
      payTo: z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)),
      maxTimeoutSeconds: z.int(),
      asset: z.string(),
      extra: z.object({ name: z.string(), version: z.string() }),
    }),
  ),
})

/** The first version's client, by hand: asks, signs what the 402 body names, and asks again with `X-PAYMENT`. */
export const payWithV1 =
  (base: Base, payer: LocalAccount, send: typeof fetch = fetch) =>
  async (url: string, init: RequestInit = {}): Promise<Response> => {
    const first = await send(url, init)
    if (first.status !== 402) return first
    const [offer] = demand.parse(await first.json()).accepts.filter(({ network }) => network === 'base-sepolia')
    if (offer === undefined) throw new Error('nothing on offer for base-sepolia')
    const nowS = Math.floor(Date.now() / 1000)
    const payload = await signAuthorization(base, payer, {
      to: offer.payTo,
      value: BigInt(offer.maxAmountRequired),
      validBeforeS: nowS + offer.maxTimeoutSeconds,
    })
    const payment = { x402Version: 1, scheme: 'exact', network: offer.network, payload }
    const headers = new Headers(init.headers)
    headers.set('X-PAYMENT', Buffer.from(JSON.stringify(payment)).toString('base64'))
    return send(url, { ...init, headers })
  }
