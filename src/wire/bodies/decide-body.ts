import { FINDING_CODES } from '../../domain/guard/finding.ts'
import type { BuyerPolicy, LiveOffer } from '../../domain/guard/known.ts'
import type { AllowHosts } from '../../domain/host.ts'
import { priceFromDecimal } from '../../domain/money/price.ts'
import { METHODS, type Method, parseAddress, RAILS, type Rail, type RouteAddress } from '../../domain/route.ts'
import { type JudgementRequest, judgementRequest } from '../api/judgement.ts'
import { bodyFault, fieldProblem } from './body-fault.ts'

/** What somebody is about to pay, and by which rules. Without a method, that is not known. */
export interface DecideBody {
  readonly address: RouteAddress
  /** As it was asked. */
  readonly url: string
  readonly method: Method | null
  readonly rail: Rail
  readonly offer: LiveOffer
  readonly policy: BuyerPolicy
}

const DOLLARS = 'dollars as a text, such as "0.020000"'
const EXPECTED: Readonly<Record<string, string>> = {
  method: `one of ${METHODS.join(', ')}`,
  url: 'the full address of the route',
  rail: RAILS.join(' or '),
  offer: 'an object of price, network, asset and payee',
  'offer.price': `${DOLLARS}, or null`,
  'offer.network': 'a network such as eip155:8453, or null; at most 200 characters',
  'offer.asset': 'a text of at most 200 characters',
  'offer.payee': 'a text of at most 200 characters',
  policy: 'an object of max_price, tolerance and stop',
  'policy.max_price': DOLLARS,
  'policy.tolerance': 'a number from 0 to 10',
  'policy.stop': `a list of these codes: ${FINDING_CODES.join(', ')}`,
}

/** Reads the body of a question. Throws a `Problem` that names the first field at fault. */
export function parseDecideBody(body: unknown, allow: AllowHosts): DecideBody {
  const reading = judgementRequest.safeParse(body)
  if (!reading.success) throw bodyFault(reading.error.issues[0], body, EXPECTED)
  const { method, url, rail, offer, policy } = reading.data
  const address = parseAddress(url, allow)
  if (!address.ok) throw fieldProblem('url', `is not the address of a route: ${address.reason}`)
  return {
    address: address.address,
    url,
    method: method ?? null,
    rail,
    offer: offerIn(offer),
    policy: policyIn(policy),
  }
}

export const offerIn = ({ price, network, asset, payee }: JudgementRequest['offer']): LiveOffer => ({
  price: price === null ? null : (priceFromDecimal(price) ?? null),
  network,
  asset: asset ?? null,
  payee: payee ?? null,
})

export const policyIn = (policy: JudgementRequest['policy'] = {}): BuyerPolicy => ({
  maxPrice: policy.max_price === undefined ? null : (priceFromDecimal(policy.max_price) ?? null),
  tolerance: policy.tolerance ?? 0,
  stop: policy.stop ?? null,
})
