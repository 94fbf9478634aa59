import type { Problem } from '../domain/problem.ts'
import { targetPattern } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'

/** What a request was, as far as it decides whether money could have moved. */
export interface Paying {
  readonly method: string | undefined
  /** As it was written: a path or a whole address, with or without a query. */
  readonly target: string | undefined
  /** Whether the headers hold a payment credential of any rail. */
  readonly hasCredential: boolean
}

const PAID = ENDPOINTS.filter(({ paidThrough }) => paidThrough !== undefined)

const CREDENTIALS: ReadonlySet<string> = new Set(
  PAID.flatMap(({ parameters = [] }) =>
    parameters.filter(({ in: place, isCredential }) => place === 'header' && isCredential),
  ).map(({ name }) => name.toLowerCase()),
)

export const hasCredential = (headerNames: Iterable<string>): boolean => {
  for (const name of headerNames) if (CREDENTIALS.has(name.toLowerCase())) return true
  return false
}

const PAID_PLACES = PAID.map(({ path }) => ({
  written: targetPattern(path),
  isFreeToRead: ENDPOINTS.some((other) => other.path === path && other.method === 'get'),
}))

/** Whether a request was to an endpoint that is paid for. Reading a thread is free. */
function isPaidEndpoint({ method, target }: Pick<Paying, 'method' | 'target'>): boolean {
  const paid = PAID_PLACES.find(({ written }) => written.test(target ?? ''))
  return paid !== undefined && !(paid.isFreeToRead && (method === 'GET' || method === 'HEAD'))
}

/**
 * On paid endpoints every problem says whether money moved. One that does not say so itself was found before anybody
 * was asked to pay. With a credential, what is `unsettled` leaves it open, and only the same request again can tell: an
 * unexpected failure, and a refusal for when the request comes alone, because an earlier copy may have been charged.
 */
export function withCharged(paying: Paying, found: Problem, unsettled: boolean): Problem {
  if (!isPaidEndpoint(paying) || 'charged' in found.more) return found
  const isOpen = unsettled && paying.hasCredential
  return isOpen ? found.saying({ charged: 'pending' }, hintOf(found.headers)) : found.saying({ charged: false })
}

function hintOf({ 'Retry-After': seconds }: Problem['headers']): string {
  const again = 'the very same request again: it tells whether the payment was made, and never charges twice.'
  return seconds === undefined ? `Send ${again}` : `Wait ${seconds} s and send ${again}`
}
