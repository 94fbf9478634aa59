import { fieldOf } from './field.ts'
import { x402Offer } from './offer.ts'
import type { Ask } from './question.ts'
import { reasonOf } from './verdict.ts'

/** As much of an `x402HTTPClient` as a guard needs; the `x402Client` inside it is looked for when it runs. */
export interface X402Transport {
  onPaymentRequired(hook: (context: { paymentRequired: object; requestUrl: string }) => Promise<void>): unknown
}

type Abort = { abort: true; reason: string }
type BeforeCreation = (context: { paymentRequired: object; selectedRequirements: object }) => Promise<Abort | undefined>

/**
 * One hook sees the address and not which offer is chosen, the other the offer and not the address: both are handed the
 * very same object. What that object itself says of its address is the seller's word.
 */
export function guardX402<T extends X402Transport>(
  client: T,
  ask: Ask,
  method: string | undefined,
  led: ReadonlyMap<string, string>,
): T {
  const inner = fieldOf(client, 'client')
  const register = fieldOf(inner, 'onBeforePaymentCreation')
  if (typeof register !== 'function') throw new TypeError('this is no x402HTTPClient')
  const addresses = new WeakMap<object, string>()
  client.onPaymentRequired(async ({ paymentRequired, requestUrl }) => {
    addresses.set(paymentRequired, requestUrl)
  })
  const refuse: BeforeCreation = async ({ paymentRequired, selectedRequirements }) => {
    const url = addresses.get(paymentRequired)
    const answered = led.get(String(url))
    const verdict = await ask({ method, url, answered, rail: 'x402', offer: x402Offer(selectedRequirements) })
    return verdict.allow ? undefined : { abort: true, reason: reasonOf(verdict) }
  }
  register.call(inner, refuse)
  return client
}
