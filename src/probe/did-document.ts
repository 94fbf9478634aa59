import type { SellerHost } from '../domain/host.ts'
import type { Scheme } from '../domain/route.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { DidReading, OfferInput } from '../store/probes/offers/offer-input.ts'
import { didWebPlace, keysInDocument, readDid } from '../wire/offers/did.ts'
import type { Egress } from './egress.ts'
import { pauseIn } from './politeness.ts'

/** More than any seller's keys need. */
const MOST_BYTES = 64 * 1024
/** Of one turn. */
export const MOST_DIDS = 2

/** A DID of the seller's own host, and where its document is. */
export interface SellerDid {
  readonly did: string
  readonly path: string
}

/** The DIDs of these offers' keys that the seller's own host answers for; what another host says of it is not asked. */
export function didsOf(host: SellerHost, offers: readonly OfferInput[]): SellerDid[] {
  const dids = new Map<string, SellerDid>()
  for (const { offer } of offers) {
    const did = offer.kid === null ? undefined : readDid(offer.kid)
    const place = did && didWebPlace(did)
    if (did && place?.host === host) dids.set(did.did, { did: did.did, path: place.path })
  }
  return [...dids.values()].slice(0, MOST_DIDS)
}

interface DidAnswer {
  /** `undefined` when it cannot be read, which says nothing about the keys that are known. */
  readonly reading: DidReading | undefined
  /** How long the host asked to be left alone; `null` when it did not. */
  readonly pauseMs: number | null
}

/** Reads the document of a seller's DID through the guarded door: whole, of the host itself, never by a redirect. */
export async function readDidDocument(
  egress: Egress,
  { did, path }: SellerDid,
  at: { readonly host: SellerHost; readonly scheme: Scheme; readonly atUs: TimestampUs },
  nowUs: () => TimestampUs,
  deadlineMs: number,
): Promise<DidAnswer> {
  const { host, scheme, atUs } = at
  const answer = await egress.fetch({
    ...{
      method: 'GET',
      url: `${scheme}://${host}${path}`,
      headers: { accept: 'application/did+json, application/json' },
    },
    ...{ deadlineMs, maxBodyBytes: MOST_BYTES, overflow: 'error', isListed: true },
  })
  const pauseMs = pauseIn(answer, nowUs())
  if (!answer.ok || answer.status !== 200) return { reading: undefined, pauseMs }
  const keys = keysInDocument(did, Buffer.from(answer.body).toString('utf8'))
  return { reading: keys && { host, did, keys, atUs }, pauseMs }
}
