import { priceFromDecimal } from '../../src/domain/money/price.ts'
import { BASE, type SampleRoute, type SampleSeller } from './sellers.ts'

/** How a sample seller takes payment through x402: it asks a facilitator, like any seller. */
export interface X402Gate {
  /** The 402 answer. */
  demand(seller: SampleSeller, route: SampleRoute, url: string): { headers: Record<string, string>; body: object }
  /** The receipt's header when the request pays; `undefined` when it does not. */
  take(
    seller: SampleSeller,
    route: SampleRoute,
    url: string,
    payment: string,
  ): Promise<Record<string, string> | undefined>
}

export interface GateOptions {
  readonly facilitatorUrl: string
  readonly dollar: string
  payeeOf(seller: SampleSeller): string
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

export function x402Gate({ facilitatorUrl, dollar, payeeOf }: GateOptions): X402Gate {
  const common = (seller: SampleSeller) => ({
    scheme: 'exact',
    asset: dollar,
    payTo: payeeOf(seller),
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
  })
  const amountOf = ({ asks }: SampleRoute): string => String(priceFromDecimal(asks))
  const requirements = (seller: SampleSeller, route: SampleRoute, url: string) =>
    seller.version === 2
      ? { ...common(seller), network: BASE, amount: amountOf(route) }
      : {
          ...common(seller),
          network: 'base-sepolia',
          maxAmountRequired: amountOf(route),
          resource: url,
          description: 'A sample answer',
          mimeType: 'application/json',
        }
  const ask = async (step: 'verify' | 'settle', question: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${facilitatorUrl}/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
    })
    return JSON.parse(await answer.text())
  }
  return {
    demand: (seller, route, url) => {
      const accepts = [requirements(seller, route, url)]
      if (seller.version === 1) {
        return { headers: {}, body: { x402Version: 1, error: 'X-PAYMENT header is required', accepts } }
      }
      const resource = { url, description: 'A sample answer', mimeType: 'application/json' }
      const demand = { x402Version: 2, error: 'PAYMENT-SIGNATURE header is required', resource, accepts }
      return { headers: { 'PAYMENT-REQUIRED': encode(demand) }, body: {} }
    },
    take: async (seller, route, url, payment) => {
      const paymentPayload: unknown = JSON.parse(Buffer.from(payment, 'base64').toString())
      const question = {
        x402Version: seller.version,
        paymentPayload,
        paymentRequirements: requirements(seller, route, url),
      }
      const verified = await ask('verify', question)
      if (verified.isValid !== true) return undefined
      const settled = await ask('settle', question)
      if (settled.success !== true) return undefined
      return { [seller.version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE']: encode(settled) }
    },
  }
}
