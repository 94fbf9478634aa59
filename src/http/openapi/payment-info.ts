import { formatPrice } from '../../domain/money/price.ts'
import type { Rail } from '../../domain/route.ts'
import type { PaymentTerms, PolicyTerms } from '../../views/policy-view.ts'

/**
 * `x-payment-info` of a paid operation in the dialects that readers of sellers' documents know: `price` and `protocols` in
 * dollars, `pricingMode` with its range, and `offers` in base units.
 */
export function paymentInfo(rail: Rail, { postPrice, rails }: Pick<PolicyTerms, 'postPrice' | 'rails'>) {
  const amount = formatPrice(postPrice)
  const terms = rails.find((one) => one.rail === rail)?.terms ?? []
  const { protocol, offer } = RAIL_INFO[rail]
  return {
    price: { mode: 'fixed', currency: 'USD', amount },
    pricingMode: 'fixed',
    minPrice: amount,
    maxPrice: amount,
    protocols: [{ [rail]: protocol(terms) }],
    offers: terms.map(offer),
  }
}

const accept = ({ network, asset, payee, amount }: PaymentTerms) => ({
  ...{ scheme: 'exact', network, amount, asset, payTo: payee },
})

const x402Offer = (terms: PaymentTerms) => ({ method: 'x402', intent: 'charge', ...accept(terms) })

const mppOffer = ({ network, asset, payee, amount }: PaymentTerms) => ({
  ...{ method: 'tempo', intent: 'charge', network, currency: asset, recipient: payee, amount },
})

const mppTerms = (terms: PaymentTerms | undefined) => ({
  ...{ method: 'tempo', intent: 'charge' },
  ...(terms && { network: terms.network, currency: terms.asset, recipient: terms.payee }),
})

interface RailInfo {
  readonly protocol: (terms: readonly PaymentTerms[]) => object
  readonly offer: (terms: PaymentTerms) => object
}

const RAIL_INFO: Readonly<Record<Rail, RailInfo>> = {
  x402: { protocol: (terms) => ({ accepts: terms.map(accept) }), offer: x402Offer },
  mpp: { protocol: ([first]) => mppTerms(first), offer: mppOffer },
}
