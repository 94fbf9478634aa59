import { formatPrice } from '../../domain/money/price.ts'
import { LEVEL_MEANINGS, LEVELS } from '../../domain/review.ts'
import type { Rail } from '../../domain/route.ts'
import type { PolicyView } from '../../views/policy-view.ts'
import { COUNTED_AS_REVIEW, LEVEL_PROOFS } from '../policy-words.ts'
import { fullAddress, logHref, mppThreadHref, type Site, threadHref } from '../site.ts'

/** `<seller_host>` stands for any host in the endpoints. */
const ENDPOINTS: Readonly<Record<Rail, (host: string) => string>> = { x402: threadHref, mpp: mppThreadHref }

export const policyJson = (site: Site, policy: PolicyView) => ({
  thread: {
    price: formatPrice(policy.postPrice),
    currency: 'USD',
    rails: policy.rails.map(({ rail, terms, missing }) => ({
      rail,
      endpoint: fullAddress(site, `${ENDPOINTS[rail]('')}<seller_host>`),
      available: missing.length === 0,
      missing,
      terms: terms.map(({ network, asset, payee, amount, settlement }) => ({
        network,
        asset,
        payee,
        amount,
        settlement,
      })),
    })),
  },
  reviews: {
    counted: COUNTED_AS_REVIEW,
    founder_wallets: policy.founderWallets,
    excluded: policy.excludedReviews,
    levels: LEVELS.map((level) => ({
      level,
      meaning: LEVEL_MEANINGS[level],
      proves: LEVEL_PROOFS[level].proves,
      does_not_prove: LEVEL_PROOFS[level].doesNotProve,
    })),
  },
  contact: policy.contact,
  log: policy.logVkey === null ? null : { vkey: policy.logVkey, href: fullAddress(site, logHref) },
  rate_limits:
    policy.limits === null
      ? null
      : policy.limits.map(({ name, count, windowSeconds }) => ({ name, count, window_seconds: windowSeconds })),
})
