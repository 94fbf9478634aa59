import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { recheckForever } from '../acts/reviews/recheck-reviews.ts'
import type { Reviews } from '../acts/reviews/reviews.ts'
import { createReviews } from '../acts/reviews/submit-review.ts'
import { sleep } from '../async/sleep.ts'
import { whenAsked } from '../async/when-asked.ts'
import { failureFields } from '../domain/store-trouble.ts'
import type { OnCall } from '../payment/call-outcome.ts'
import type { Proofs } from '../payment/proof/proof.ts'
import { createSignatures } from '../payment/signatures.ts'
import { reapplyFounders } from '../store/reviews/founders.ts'
import type { Store } from '../store/store.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'

/** Everything about reviews that a web process runs. */
export interface ReviewWriting {
  readonly reviews: Reviews
  /** Holds stored reviews against the founder list, then brings pending payments to their end, until the signal. */
  keep(signal: AbortSignal): Promise<void>
}

/** Asks no node: a directory starts, and takes reviews, while they are down. */
export function createReviewWriting(
  config: Config,
  store: Store,
  log: Logger,
  directory: () => string,
  onCall?: OnCall,
): ReviewWriting {
  const { rpcUrls } = config.payments
  const proofs = proofsOf(config, onCall)
  const reviews = createReviews({
    store,
    proofs,
    signatures: createSignatures({ rpcUrls, onCall }),
    founders: config.founderWallets,
    allow: config.allowHosts,
    nowUs,
    directory,
    random: () => randomBytes(16).toString('hex'),
  })
  const onTrouble = (error: unknown): void =>
    log.error(failureFields(error), 'payments of reviews could not be looked at')
  return {
    reviews,
    keep: async (signal) => {
      try {
        const changed = await reapplyFounders(store, config.founderWallets, nowUs())
        if (changed > 0) log.info({ reviews: changed }, 'the founder list changed')
      } catch (error) {
        log.error({ err: error }, 'the founder list could not be applied')
      }
      await recheckForever({ store, proofs, nowUs, sleep, onTrouble }, signal)
    },
  }
}

/** What reads chains is loaded by the first review that names a payment. */
function proofsOf({ payments }: Config, onCall: OnCall | undefined): Proofs {
  const loaded = whenAsked(async () => {
    const [{ createProofs }, { extraAssetsOf }] = await Promise.all([
      import('../payment/proof/create-proofs.ts'),
      import('../payment/proof/dollars.ts'),
    ])
    return createProofs({ rpcUrls: payments.rpcUrls, nowUs, extraAssets: extraAssetsOf(payments), onCall })
  })
  return { find: async (request) => (await loaded()).find(request) }
}
