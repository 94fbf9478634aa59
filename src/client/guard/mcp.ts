import { fieldOf, listOf } from './field.ts'
import { mppAsked, x402Offer } from './offer.ts'
import type { Ask } from './question.ts'
import { insist, PaymentStopped } from './verdict.ts'

/**
 * What the payment kits of the Model Context Protocol ask before they pay. They do not say whom: whoever connects to a
 * server knows its address. Each hook answers `true` or rejects with `PaymentStopped`.
 */
export const guardMcp = (ask: Ask, url: string) => ({
  /** For `McpClient.wrap` of mppx. */
  onPaymentRequired: async (challenge: object): Promise<true> => {
    await insist(ask({ url, ...mppAsked(challenge) }))
    return true
  },
  /** For clients of `@x402/mcp`. It does not say which offer the client will choose: those that are stopped are taken out. */
  onPaymentRequested: async ({ paymentRequired }: { readonly paymentRequired: object }): Promise<true> => {
    const accepts = listOf(fieldOf(paymentRequired, 'accepts'))
    const verdicts = await Promise.all(accepts.map((offer) => ask({ url, rail: 'x402', offer: x402Offer(offer) })))
    const allowed = accepts.filter((_, at) => verdicts[at]?.allow)
    if (allowed.length === 0)
      throw new PaymentStopped({ allow: false, findings: verdicts.flatMap(({ findings }) => findings) })
    accepts.splice(0, accepts.length, ...allowed)
    return true
  },
})
