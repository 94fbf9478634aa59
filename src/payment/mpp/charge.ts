import { Mppx, type Store, tempo } from 'mppx/server'
import type { SellerHost } from '../../domain/host.ts'
import { formatPrice } from '../../domain/money/price.ts'
import { THREAD_PRICE } from '../../domain/thread.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { fillPath, PAID_THREAD_PATHS } from '../../wire/paths.ts'
import type { Network, TempoClient, TempoNode } from './node.ts'
import type { Offer } from './offer.ts'

/**
 * mppx asks for a place to remember used transactions, so that one does not pay twice. Here that is the payment's own
 * key, the hash of the transaction in its one form, which the database holds at most once; it is stored before the
 * broadcast and a post hangs on it. Sending the same transaction again moves nothing: the chain takes it once. A claim
 * of mppx beside it would only forbid the second broadcast that a crash before the first one makes necessary.
 */
const EVERY_CLAIM: Store.AtomicStore = {
  get: async () => null,
  put: async () => undefined,
  delete: async () => undefined,
  update: async (_key, change) => change(null).result,
  tryClaim: () => true,
}

/** The price of a post, asked with challenges that only this directory can have made. */
export type Charge = ReturnType<typeof createCharge>

export function createCharge({ realm, secretKey, currency, recipient }: Offer, client: TempoClient) {
  return Mppx.create({
    realm,
    secretKey,
    methods: [
      tempo.charge({ currency, recipient, getClient: () => client, store: EVERY_CLAIM, supportedModes: ['pull'] }),
    ],
  })
}

/** What the steps of the rail work with. */
export interface MppDeps {
  readonly offer: Offer
  readonly node: TempoNode
  /** The one charge on the node's network. */
  readonly chargeOn: (network: Network) => Charge
  readonly nowUs: () => TimestampUs
  /** How long a broadcast is waited for before its outcome counts as unknown. */
  readonly settleMs: number
}

/** What a challenge is bound to: one host's thread and one body. */
export const boundTo = (host: SellerHost, bodyDigest: string) => ({
  request: { amount: formatPrice(THREAD_PRICE) },
  scope: `POST ${fillPath(PAID_THREAD_PATHS.mpp, { host })}`,
  meta: { body: bodyDigest },
})
