import { formatPrice } from '../../domain/price.ts'
import type { Rail } from '../../domain/route.ts'
import type { PaymentTerms, PolicyTerms } from '../../views/policy-view.ts'

/**
 * `x-payment-info` of a paid operation in the dialects that readers of sellers' documents know: `price` and `protocols` in
 * dollars, `pricingMode` with its range, and `offers` in base units.
 */
export function paymentInfo(rail: Rail, { postPrice, rails }: Pick<PolicyTerms, 'postPrice' | 'rails'>) {
  const amount = formatPrice(postPrice)
  const terms = rails.find((one) => one.rail === rail)?.terms ?? []
  return {
    price: { mode: 'fixed', currency: 'USD', amount },
    pricingMode: 'fixed',
    minPrice: amount,
    maxPrice: amount,
    protocols: [{ [rail]: rail === 'x402' ? { accepts: terms.map(accept) } : mppTerms(terms[0]) }],
    offers: rail === 'x402' ? terms.map(x402Offer) : terms.map(mppOffer),
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
