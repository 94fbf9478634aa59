import type { IncomingMessage } from 'node:http'
import type { WriteGate } from '../../acts/reviews/reviews.ts'
import type { SellerGate } from '../../acts/sellers/sellers.ts'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { walletKey } from '../../domain/wallet.ts'
import { addressKey, clientAddress, type TrustedProxies } from '../server/client-address.ts'
import type { Head } from '../server/head.ts'
import { RateLimiter } from './limits.ts'
import type { RateLimits } from './rates.ts'
import type { SharedLimits } from './shared-limits.ts'

/** A gate that remembers what it took, for the headers of the answer. */
export interface CountedGate extends WriteGate, SellerGate {
  headers(): Readonly<Record<string, string>>
}

const OPEN: CountedGate = {
  signing: () => undefined,
  signed: () => undefined,
  unsigned: () => undefined,
  seller: () => undefined,
  headers: () => ({}),
}

/**
 * How often anybody may write: unsigned reviews by the address that they come from and by the host that they are about, signed writes by address and by
 * wallet. One for a process, so that reviews and posts of a wallet share its budget.
 */
export class WriteLimits {
  readonly #budgets: {
    readonly unsigned: RateLimiter
    readonly unsignedHosts: RateLimiter
    readonly signing: RateLimiter
    readonly wallets: RateLimiter
    readonly sellerHosts: RateLimiter
  } | null

  constructor(
    limits: RateLimits | null,
    nowMs: () => number,
    private readonly trusted: TrustedProxies | null,
    shared?: SharedLimits,
  ) {
    this.#budgets = limits && {
      unsigned: new RateLimiter('unsigned', limits.unsigned, nowMs),
      unsignedHosts: new RateLimiter('unsigned-host', limits['unsigned-host'], nowMs),
      signing: new RateLimiter('signed', limits.signed, nowMs),
      wallets: new RateLimiter('signed', limits.signed, nowMs),
      sellerHosts: new RateLimiter('seller-host', limits['seller-host'], nowMs),
    }
    for (const [name, limiter] of Object.entries(this.#budgets ?? {})) shared?.join(name, limiter)
  }

  /** For one request, by the address that it came from. */
  gate({ socket }: Pick<IncomingMessage, 'socket'>, { forwardedFor }: Pick<Head, 'forwardedFor'>): CountedGate {
    const budgets = this.#budgets
    if (budgets === null) return OPEN
    const address = addressKey(clientAddress(socket.remoteAddress ?? '', forwardedFor, this.trusted))
    let headers: Readonly<Record<string, string>> = {}
    const take = (limiter: RateLimiter, key: string, what: string): void => {
      headers = taken(limiter, key, what)
    }
    return {
      signing: () => take(budgets.signing, address, 'signed writes came from this address'),
      signed: (wallet) => take(budgets.wallets, walletKey(wallet), 'writes were signed by this wallet'),
      unsigned: (host) => {
        take(budgets.unsigned, address, 'unsigned reviews came from this address')
        // Said in the headers only when it is what refuses: callers plan by their own budget.
        const said = headers
        take(budgets.unsignedHosts, host, 'unsigned reviews of this host came, from anywhere,')
        headers = said
      },
      seller: (host) => {
        const said = headers
        take(budgets.sellerHosts, host, 'claims and statements about this host were taken')
        headers = said
      },
      headers: () => headers,
    }
  }

  /** Counts a write of a wallet that is known to have signed it; throws a `Problem` when it has written too often. */
  readonly admit = (wallet: string): void => {
    if (this.#budgets) taken(this.#budgets.wallets, walletKey(wallet), 'writes were signed by this wallet')
  }
}

function taken(limiter: RateLimiter, key: string, what: string): Readonly<Record<string, string>> {
  const budget = limiter.take(key)
  const headers = { 'RateLimit-Policy': limiter.policy, RateLimit: limiter.state(budget) }
  if (limiter.allows(budget)) return headers
  throw spent(limiter, what, { ...headers, 'Retry-After': String(limiter.retryAfterSeconds(budget)) })
}

const spent = ({ rate }: RateLimiter, what: string, headers: Record<string, string>): Problem =>
  problem('rate-limited', `More than ${rate.count} ${what} in ${rate.windowMs / 60_000} minutes.`, {
    hint: `Wait ${headers['Retry-After']} s and send it again${what.startsWith('unsigned') ? ', or sign it with a wallet' : ''}.`,
    headers,
  })
