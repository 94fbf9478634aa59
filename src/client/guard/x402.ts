import { addressOf, type Call, type Calls } from './address.ts'
import { fieldOf } from './field.ts'
import { x402Offer } from './offer.ts'
import type { Ask } from './question.ts'
import { reasonOf } from './verdict.ts'

type GetHeader = (name: string) => string | null | undefined

/** As much of an `x402HTTPClient` as a guard needs; the `x402Client` inside it is looked for when it runs. */
export interface X402Transport {
  getPaymentRequiredResponse(getHeader: GetHeader, body?: unknown): object
  /** Older kits do not say the address. */
  onPaymentRequired(hook: (context: { paymentRequired: object; requestUrl?: string }) => Promise<void>): unknown
}

type Abort = { abort: true; reason: string }
type BeforeCreation = (context: { paymentRequired: object; selectedRequirements: object }) => Promise<Abort | undefined>

/**
 * Whoever reads a challenge sees the mark of its call, one hook sees the address, and another which offer is chosen: all
 * have the very same object. What that object itself says of its address is the seller's word.
 */
export function guardX402<T extends X402Transport>(
  client: T,
  ask: Ask,
  method: string | undefined,
  calls: Calls,
  mark: string,
): T {
  const inner = fieldOf(client, 'client')
  const register = fieldOf(inner, 'onBeforePaymentCreation')
  if (typeof register !== 'function') throw new TypeError('this is no x402HTTPClient')
  const read = client.getPaymentRequiredResponse
  Reflect.set(client, 'getPaymentRequiredResponse', (getHeader: GetHeader, body: unknown) => {
    const required = read.call(client, getHeader, body)
    const call: Call | null = JSON.parse(getHeader(mark) ?? 'null')
    if (call) calls.set(required, call)
    return required
  })
  client.onPaymentRequired(async ({ paymentRequired, requestUrl: url }) => {
    if (!calls.has(paymentRequired)) calls.set(paymentRequired, { url })
  })
  const refuse: BeforeCreation = async ({ paymentRequired, selectedRequirements }) => {
    const verdict = await ask({
      ...{ url: undefined, method, ...calls.get(paymentRequired), rail: 'x402' },
      named: addressOf(fieldOf(paymentRequired, 'resource') ?? fieldOf(selectedRequirements, 'resource')),
      offer: x402Offer(selectedRequirements),
    })
    return verdict.allow ? undefined : { abort: true, reason: reasonOf(verdict) }
  }
  register.call(inner, refuse)
  return client
}
