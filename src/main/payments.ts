import type { Logger } from 'pino'
import type { Ledger } from '../acts/ledger.ts'
import { threadsOf } from '../acts/post-to-thread.ts'
import { keepReconciled } from '../acts/reconcile.ts'
import type { Threads } from '../acts/threads.ts'
import { THREAD_PRICE } from '../domain/thread.ts'
import type { RateLimits } from '../http/rates.ts'
import { WriteLimits } from '../http/write-limits.ts'
import { openMppRail } from '../payment/mpp/open.ts'
import { isSet } from '../payment/rail.ts'
import { signaturesOf } from '../payment/signatures.ts'
import { openX402Rail } from '../payment/x402/rail.ts'
import type { Store } from '../store/store.ts'
import type { PolicyTerms, RateLimit } from '../views/policy-view.ts'
import type { Config } from './config.ts'
import { baseUrlOf, nowUs } from './strangers.ts'

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
export function openPayments(config: Config, store: Store, log: Logger): Payments {
  const { payments } = config
  const rails: Ledger['rails'] = {
    x402: openX402Rail({ config: payments.x402, rpcUrls: payments.rpcUrls, nowUs }),
    mpp: openMppRail({ config: payments.mpp, realm: new URL(baseUrlOf(config)).host, nowUs }),
  }
  const ledger: Ledger = { store, rails, nowUs, log }
  const writeLimits = new WriteLimits(config.rateLimits, () => performance.now(), config.trustedProxies)
  return {
    threads: threadsOf({ ...ledger, signatures: signaturesOf(payments), admit: writeLimits.admit }),
    writeLimits,
    policy: () => policyOf(config, rails),
    reconcile: (signal) => {
      warnOfTrust(rails, log)
      return keepReconciled(ledger, signal)
    },
  }
}

/** Where a facilitator that lies could have a post shown that nobody paid for, the operator hears of it at every start. */
function warnOfTrust({ x402 }: Threads['rails'], log: Logger): void {
  const trusted = (isSet(x402) ? x402.terms : []).filter(({ settlement }) => settlement === 'as the facilitator says')
  const networks = trusted.map(({ network }) => network)
  if (networks.length > 0) log.warn({ networks }, 'RPC_URLS has no node for these: the facilitator is believed')
}

/** What everybody may know of how this directory is run. */
const policyOf = (config: Config, rails: Threads['rails']): PolicyTerms => ({
  postPrice: THREAD_PRICE,
  rails: [rails.x402, rails.mpp].map((rail) => ({
    rail: rail.name,
    terms: isSet(rail) ? rail.terms : [],
    missing: isSet(rail) ? [] : rail.missing,
  })),
  founderWallets: config.founderWallets,
  limits: config.rateLimits && limitsOf(config.rateLimits),
})

const limitsOf = ({ unsigned, signed, reads }: RateLimits): RateLimit[] =>
  Object.entries({ unsigned, signed, reads }).map(([name, { count, windowMs }]) => ({
    name,
    count,
    windowSeconds: windowMs / 1000,
  }))
