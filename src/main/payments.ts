import type { Logger } from 'pino'
import type { Ledger } from '../acts/posts/ledger.ts'
import { keepReconciled } from '../acts/posts/reconcile.ts'
import { createThreads, type Threads } from '../acts/posts/threads.ts'
import { RAILS } from '../domain/route.ts'
import { THREAD_PRICE } from '../domain/thread.ts'
import type { RateLimits } from '../http/limits/rates.ts'
import type { SharedLimits } from '../http/limits/shared-limits.ts'
import { WriteLimits } from '../http/limits/write-limits.ts'
import type { OnCall } from '../payment/call-outcome.ts'
import { isSet, type PaymentRail, type RailTerms, type UnsetRail } from '../payment/rail.ts'
import { createSignatures } from '../payment/signatures.ts'
import type { Store } from '../store/store.ts'
import type { PolicyTerms, RateLimit } from '../views/policy-view.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { createRails } from './rails.ts'

/** Everything about paid posts that a web process runs. */
export interface Payments {
  readonly threads: Threads
  /** One for all that is signed: posts and reviews of a wallet share its budget. */
  readonly writeLimits: WriteLimits
  policy(): PolicyTerms
  /** Brings payments of unknown outcome to their end, from now on until the signal. */
  reconcile(signal: AbortSignal): Promise<void>
}

/** Asks no node and no facilitator: a directory starts, and is read, while they are down. */
export async function createPayments(
  config: Config,
  store: Store,
  log: Logger,
  onCall?: OnCall,
  shared?: SharedLimits,
): Promise<Payments> {
  const { payments } = config
  const rails = await createRails(config, onCall)
  const ledger: Ledger = { store, rails, nowUs, log }
  const writeLimits = new WriteLimits(config.rateLimits, () => performance.now(), config.trustedProxies, shared)
  return {
    threads: createThreads({
      ...ledger,
      signatures: createSignatures({ rpcUrls: payments.rpcUrls, onCall }),
      admit: writeLimits.admit,
    }),
    writeLimits,
    policy: () => policyOf(config, rails),
    reconcile: (signal) => {
      warnOfTrust(rails, log)
      return keepReconciled(ledger, signal)
    },
  }
}

/** Where a facilitator that lies could have a post shown that nobody paid for, the operator hears of it at every start. */
function warnOfTrust(rails: Ledger['rails'], log: Logger): void {
  const terms = RAILS.flatMap((name) => termsOf(rails[name]))
  const trusted = terms.filter(({ settlement }) => settlement === 'as the facilitator says')
  const networks = trusted.map(({ network }) => network)
  if (networks.length > 0) log.warn({ networks }, 'RPC_URLS has no node for these: the facilitator is believed')
}

const termsOf = (rail: PaymentRail | UnsetRail): readonly RailTerms[] => (isSet(rail) ? rail.terms : [])

/** What everybody may know of how this directory is run. */
const policyOf = (config: Config, rails: Ledger['rails']): PolicyTerms => ({
  postPrice: THREAD_PRICE,
  rails: RAILS.map((name) => {
    const rail = rails[name]
    return { rail: name, terms: termsOf(rail), missing: isSet(rail) ? [] : rail.missing }
  }),
  founderWallets: config.founderWallets,
  limits: config.rateLimits && limitsOf(config.rateLimits),
})

const limitsOf = (limits: RateLimits): RateLimit[] =>
  Object.entries(limits).map(([name, { count, windowMs }]) => ({
    name,
    count,
    windowSeconds: windowMs / 1000,
  }))
