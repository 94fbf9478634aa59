import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { recheckForever } from '../acts/recheck-reviews.ts'
import type { Reviews } from '../acts/reviews.ts'
import { reviewsOf } from '../acts/submit-review.ts'
import { extraAssetsOf } from '../payment/proof/dollars.ts'
import { proofsOf } from '../payment/proof/open.ts'
import { signaturesOf } from '../payment/signatures.ts'
import { reapplyFounders } from '../store/founders.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { nowUs, sleep } from './strangers.ts'

/** Everything about reviews that a web process runs. */
export interface ReviewWriting {
  readonly reviews: Reviews
  /** Holds stored reviews against the founder list, then brings pending payments to their end, until the signal. */
  keep(signal: AbortSignal): Promise<void>
}

/** Asks no node: a directory starts, and takes reviews, while they are down. */
export function openReviews(config: Config, store: Store, log: Logger): ReviewWriting {
  const { rpcUrls } = config.payments
  const proofs = proofsOf({ rpcUrls, nowUs, extraAssets: extraAssetsOf(config.payments) })
  const reviews = reviewsOf({
    store,
    proofs,
    signatures: signaturesOf({ rpcUrls }),
    founders: config.founderWallets,
    allow: config.allowHosts,
    nowUs,
    random: () => randomBytes(16).toString('hex'),
  })
  const onTrouble = (error: unknown): void => log.error({ err: error }, 'payments of reviews could not be looked at')
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
