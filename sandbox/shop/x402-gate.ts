import { createOfferEIP712 } from '@x402/extensions/offer-receipt'
import { priceFromDecimal } from '../../src/domain/money/price.ts'
import { payeeOf as accountOf } from '../accounts.ts'
import { BASE, type SampleRoute, type SampleSeller } from './seller.ts'

/** How a sample seller takes payment through x402: it asks a facilitator, like any seller. */
export interface X402Gate {
  /** The 402 answer. */
  demand(
    seller: SampleSeller,
    route: SampleRoute,
    url: string,
  ): Promise<{ readonly headers: Record<string, string>; readonly body: object }>
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

/** A network that the sample buyers have no wallet on. */
const UNPAYABLE = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** As the first version of the protocol calls them. */
const V1_NAMES: Readonly<Record<string, string>> = {
  [BASE]: 'base-sepolia',
  'eip155:8453': 'base',
  [UNPAYABLE]: 'solana',
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

const DAY_S = 24 * 3600

/** One signature for the whole day: what is signed anew for every request fills a page with the same words. */
function untilTomorrowEndsS(): number {
  const nowS = Math.floor(Date.now() / 1000)
  return (Math.floor(nowS / DAY_S) + 2) * DAY_S - nowS
}

export function x402Gate({ facilitatorUrl, dollar, payeeOf }: GateOptions): X402Gate {
  const common = (seller: SampleSeller, { terms }: SampleRoute) => ({
    scheme: 'exact',
    asset: terms?.asset ?? dollar,
    payTo: terms?.payee ?? payeeOf(seller),
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
  })
  const amountOf = ({ asks }: SampleRoute): string => String(priceFromDecimal(asks))
  const requirements = (seller: SampleSeller, route: SampleRoute, url: string) => {
    const network = route.terms?.network ?? BASE
    return seller.version === 2
      ? { ...common(seller, route), network, amount: amountOf(route) }
      : {
          ...common(seller, route),
          network: V1_NAMES[network],
          maxAmountRequired: amountOf(route),
          resource: url,
          description: 'A sample answer',
          mimeType: 'application/json',
        }
  }
  const offers = (seller: SampleSeller, route: SampleRoute, url: string) => {
    const decoy = route.terms?.decoy
    const cheap = decoy === undefined ? [] : [{ ...route, asks: decoy, terms: { ...route.terms, network: UNPAYABLE } }]
    return [...cheap, route].map((each) => requirements(seller, each, url))
  }
  const signedOffers = async (seller: SampleSeller, route: SampleRoute, url: string) => {
    const signs = route.terms?.signs
    if (signs === undefined) return {}
    const terms = {
      ...{ ...common(seller, route), acceptIndex: 0, network: BASE, amount: String(priceFromDecimal(signs)) },
      offerValiditySeconds: untilTomorrowEndsS(),
    }
    const account = accountOf(seller)
    const offer = await createOfferEIP712(url, terms, (data) => account.signTypedData(data))
    return { extensions: { 'offer-receipt': { info: { offers: [offer] } } } }
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
    demand: async (seller, route, url) => {
      const accepts = offers(seller, route, url)
      if (seller.version === 1) {
        return { headers: {}, body: { x402Version: 1, error: 'X-PAYMENT header is required', accepts } }
      }
      const resource = { url, description: 'A sample answer', mimeType: 'application/json' }
      const demand = {
        ...{ x402Version: 2, error: 'PAYMENT-SIGNATURE header is required', resource, accepts },
        ...(await signedOffers(seller, route, url)),
      }
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
