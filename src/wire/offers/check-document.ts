import { endWords, termsWords } from '../../domain/offers/seen-offer.ts'
import type { OfferKey, SignedOffer } from '../../domain/offers/signed-offer.ts'
import { parseTimestamp } from '../../domain/time/timestamp.ts'
import { type Fields, fieldOf, fieldsOf } from '../challenge/json.ts'
import type { WritingCheck } from '../check-writing.ts'
import { checkOffer } from './check-offer.ts'
import { didWebPlace, readDid, readJwk } from './did.ts'
import { readSignedOffer, readSignedOffers } from './read-offers.ts'

/** A signed offer with what a directory says beside it. */
interface Documented {
  readonly offer: SignedOffer
  readonly url: string
  readonly seenUs: number
  readonly keys: readonly OfferKey[]
}

/**
 * Checks every signed offer of a document: a route or decision of a directory, one of its offers or contradictions, a live
 * challenge, or an offer by itself. Believes the directory nothing but when it saw the offer, and whose key it found.
 */
export function checkOfferDocument(document: unknown): WritingCheck {
  const fields = fieldsOf(document)
  const offers = fields === undefined ? [] : offersIn(fields)
  if (offers.length === 0) return { ok: false, findings: ['There is no signed offer in this document.'] }
  const checked = offers.map(checkOne)
  const findings = [...checked.flatMap((one) => one.findings), ...(fields === undefined ? [] : believedIn(fields))]
  return { ok: checked.every(({ ok }) => ok), findings }
}

/** The dearer prices of a document are no part of what the seller signed. */
function believedIn(fields: Fields): string[] {
  const listed = fieldOf(fields, 'contradictions')
  return (Array.isArray(listed) ? listed : [fields]).flatMap((one: unknown) => {
    const contradiction = fieldsOf(one)
    const [price, kind] = [fieldOf(contradiction, 'price'), fieldOf(contradiction, 'kind')]
    return typeof price === 'string' && typeof kind === 'string'
      ? [
          `That ${price} was ${kind === 'asked' ? 'asked for' : kind} is the directory's word: nothing here shows it, and it is not checked.`,
        ]
      : []
  })
}

function offersIn(fields: Fields): Documented[] {
  const listed = fieldOf(fields, 'signed_offers')
  if (Array.isArray(listed)) return listed.flatMap((one: unknown) => documentedIn(fieldsOf(one)))
  const inner = fieldsOf(fieldOf(fields, 'signed_offer'))
  if (inner !== undefined) return documentedIn(inner)
  if (fieldOf(fields, 'offer') !== undefined) return documentedIn(fields)
  const alone = readSignedOffer(fields)
  return (alone ? [alone] : readSignedOffers(fields)).map((offer) => ({
    ...{ offer, url: offer.terms.resourceUrl, seenUs: 0, keys: [] },
  }))
}

function documentedIn(fields: Fields | undefined): Documented[] {
  const offer = readSignedOffer(fieldOf(fields, 'offer'))
  const url = fieldOf(fields, 'address')
  const seenUs = timeOf(fieldOf(fields, 'first_seen'))
  if (offer === undefined || typeof url !== 'string' || seenUs === undefined) return []
  return [{ offer, url, seenUs, keys: keysIn(fieldsOf(fieldOf(fields, 'key'))) }]
}

function keysIn(fields: Fields | undefined): OfferKey[] {
  const [kid, jwk] = [fieldOf(fields, 'kid'), readJwk(fieldOf(fields, 'jwk'))]
  const firstUs = timeOf(fieldOf(fields, 'named_since'))
  if (typeof kid !== 'string' || jwk === undefined || firstUs === undefined) return []
  return [{ kid, jwk, firstUs, lastUs: firstUs, goneUs: null }]
}

const timeOf = (value: unknown): number | undefined => (typeof value === 'string' ? parseTimestamp(value) : undefined)

function checkOne({ offer, url, seenUs, keys }: Documented): WritingCheck {
  const { terms } = offer
  const said = `The offer is ${termsWords(terms)} ${endWords(terms)}, for ${terms.resourceUrl}.`
  const check = checkOffer(offer, { url, seenUs, keys })
  switch (check.by) {
    case null:
      return { ok: false, findings: [said, `It is not shown to be signed by the seller: ${check.reason}.`] }
    case 'payee':
      return { ok: true, findings: [said, `It is signed by the payee that it names, ${check.wallet}.`] }
    case 'host': {
      const did = readDid(check.kid)
      const place = did && didWebPlace(did)
      const where = place ? ` Whether it is the host's is at https://${place.host}${place.path}.` : ''
      return { ok: true, findings: [said, `It is signed by the key ${check.kid}.${where}`] }
    }
  }
}
