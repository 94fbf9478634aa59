import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { PATHS } from '../../wire/paths.ts'
import { isPreflight } from '../cors.ts'
import { addressKey, clientAddress, type TrustedProxies } from '../server/client-address.ts'
import type { Head } from '../server/head.ts'
import { type Budget, RateLimiter } from './limits.ts'
import type { Rate } from './rates.ts'
import type { SharedLimits } from './shared-limits.ts'

const POLICY = 'RateLimit-Policy'
const STATE = 'RateLimit'

/** Watched by machines that come often. */
const UNLIMITED: readonly string[] = [PATHS.alive, PATHS.ready]

/** Whether requests of a path are counted. */
export const isLimited = (path: string): boolean => !UNLIMITED.includes(path)

/** How many requests each address may make, cached answers included. */
export class Budgets {
  readonly #limiter: RateLimiter
  /** An address is worked out once per connection, unless a proxy sends many clients down the same one. */
  readonly #keys = new WeakMap<object, string>()

  constructor(
    rate: Rate,
    nowMs: () => number,
    private readonly trusted: TrustedProxies | null,
    shared?: SharedLimits,
  ) {
    this.#limiter = new RateLimiter('reads', rate, nowMs)
    shared?.join('reads', this.#limiter)
  }

  /** `undefined`: it is neither counted nor refused. A page whose preflight is refused cannot read why. */
  take(incoming: IncomingMessage, head: Head): Budget | undefined {
    if (!isLimited(incoming.url ?? '') || isPreflight(incoming)) return undefined
    const { socket } = incoming
    let key = this.trusted === null ? this.#keys.get(socket) : undefined
    if (key === undefined) {
      key = addressKey(clientAddress(socket.remoteAddress ?? '', head.forwardedFor, this.trusted))
      this.#keys.set(socket, key)
    }
    return this.#limiter.take(key)
  }

  overspent(budget: Budget, { method }: Pick<IncomingMessage, 'method'>): Problem | undefined {
    if (this.#limiter.allows(budget)) return undefined
    const seconds = this.#limiter.retryAfterSeconds(budget)
    const isRead = method === 'GET' || method === 'HEAD'
    return problem('rate-limited', `More than ${this.#limiter.rate.count} requests came from this address.`, {
      hint: isRead
        ? `Wait ${seconds} s, and use If-None-Match to ask cheaply.`
        : `Wait ${seconds} s and send it again.`,
      headers: { 'Retry-After': String(seconds) },
    })
  }

  announce(outgoing: ServerResponse, budget: Budget): void {
    outgoing.setHeader(POLICY, this.#limiter.policy)
    outgoing.setHeader(STATE, this.#limiter.state(budget))
  }
}

/** What was announced, as names and values: nothing where nothing is counted. */
export function announced(outgoing: ServerResponse): string[] {
  const [policy, state] = [outgoing.getHeader(POLICY), outgoing.getHeader(STATE)]
  return policy === undefined || state === undefined ? [] : [POLICY, String(policy), STATE, String(state)]
}
