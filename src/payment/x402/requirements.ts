import { OUTPUT_SCHEMA } from './extensions.ts'
import { type Offer, TIMEOUT_S } from './offer.ts'

const DESCRIPTION = 'One post in the buyer discussion thread of a seller host.'
const MIME_TYPE = 'application/json'

export interface Resource {
  readonly url: string
  readonly description: string
  readonly mimeType: string
}

export const resourceOf = (url: string): Resource => ({ url, description: DESCRIPTION, mimeType: MIME_TYPE })

/** An offer as version 2 writes it. */
export const requirementsV2 = (offer: Offer) => ({
  scheme: 'exact',
  network: offer.network,
  asset: offer.asset,
  amount: offer.amount,
  payTo: offer.payee,
  maxTimeoutSeconds: TIMEOUT_S,
  extra: { ...offer.extra },
})

/** An offer as version 1 writes it; `undefined` where that version does not know the network. */
export const requirementsV1 = (offer: Offer, url: string) =>
  offer.name === null
    ? undefined
    : {
        scheme: 'exact',
        network: offer.name,
        maxAmountRequired: offer.amount,
        resource: url,
        description: DESCRIPTION,
        mimeType: MIME_TYPE,
        outputSchema: structuredClone(OUTPUT_SCHEMA),
        payTo: offer.payee,
        maxTimeoutSeconds: TIMEOUT_S,
        asset: offer.asset,
        extra: { ...offer.extra },
      }
