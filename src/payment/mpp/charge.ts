import { Mppx, type Store, tempo } from 'mppx/server'
import type { SellerHost } from '../../domain/host.ts'
import { formatPrice } from '../../domain/price.ts'
import { THREAD_PRICE } from '../../domain/thread.ts'
import type { TempoClient } from './node.ts'

/** Tokens of Tempo have 6 decimals by their standard, so a base unit of a dollar is a millionth. */
export const AMOUNT = String(THREAD_PRICE)

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

export interface ChargeSettings {
  readonly realm: string
  readonly secretKey: string
  readonly currency: `0x${string}`
  readonly recipient: `0x${string}`
}

/** The price of a post, asked with challenges that only this directory can have made. */
export type Charge = ReturnType<typeof openCharge>

export function openCharge({ realm, secretKey, currency, recipient }: ChargeSettings, client: TempoClient) {
  return Mppx.create({
    realm,
    secretKey,
    methods: [
      tempo.charge({ currency, recipient, getClient: () => client, store: EVERY_CLAIM, supportedModes: ['pull'] }),
    ],
  })
}

/** What a challenge is bound to: one host's thread and one body. */
export const boundTo = (host: SellerHost, bodyDigest: string) => ({
  request: { amount: formatPrice(THREAD_PRICE) },
  scope: `POST /mpp/v1/thread/${host}`,
  meta: { body: bodyDigest },
})
