import type { SignedOffer, SignedTerms } from '../../domain/offers/signed-offer.ts'
import { type Fields, fieldOf, fieldsOf, wordOf } from '../challenge/json.ts'
import { readJws } from './jws.ts'

/** Of one challenge. A seller signs one for each way to pay. */
export const MOST_SIGNED_OFFERS = 8

const LONGEST_URL = 2000
/** The end of the year 9999: later is a mistake, or milliseconds. */
const LATEST_S = 253_402_300_799

/** The signed offers of an x402 version 2 document. Whatever cannot be one is passed over; nothing here throws. */
export function readSignedOffers(document: Fields): SignedOffer[] {
  const extension = fieldsOf(fieldOf(fieldsOf(fieldOf(document, 'extensions')), 'offer-receipt'))
  const offers = fieldOf(fieldsOf(fieldOf(extension, 'info')), 'offers')
  if (fieldOf(document, 'x402Version') !== 2 || !Array.isArray(offers)) return []
  return offers.slice(0, MOST_SIGNED_OFFERS).flatMap((one: unknown) => readSignedOffer(one) ?? [])
}

/** One signed offer of strangers. */
export function readSignedOffer(value: unknown): SignedOffer | undefined {
  const fields = fieldsOf(value)
  const [format, signature] = [fieldOf(fields, 'format'), fieldOf(fields, 'signature')]
  if (typeof signature !== 'string') return undefined
  if (format === 'jws') return ofJws(signature)
  const terms = readTerms(fieldOf(fields, 'payload'))
  if (format !== 'eip712' || terms === undefined || !/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined
  return { format, terms, signature, kid: null }
}

function ofJws(signature: string): SignedOffer | undefined {
  const jws = readJws(signature)
  const terms = jws && readTerms(jws.payload)
  return terms && { format: 'jws', terms, signature, kid: jws.kid }
}

function readTerms(value: unknown): SignedTerms | undefined {
  const fields = fieldsOf(value)
  const version = fieldOf(fields, 'version')
  const [scheme, network, asset, payTo, amount] = ['scheme', 'network', 'asset', 'payTo', 'amount'].map((name) =>
    wordOf(fieldOf(fields, name)),
  )
  const resourceUrl = fieldOf(fields, 'resourceUrl')
  const validUntil = fieldOf(fields, 'validUntil') ?? 0
  const isUrl =
    typeof resourceUrl === 'string' &&
    /^https?:\/\/[\x21-\x7e]+$/.test(resourceUrl) &&
    resourceUrl.length <= LONGEST_URL
  if (version !== 1 || !isUrl || !isSeconds(validUntil)) return undefined
  if (!scheme || !network || !asset || !payTo || !amount || !/^\d{1,78}$/.test(amount)) return undefined
  return { resourceUrl, scheme, network, asset, payTo, amount, validUntil }
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= LATEST_S

/** As the extension writes it. */
export const writtenOffer = ({ format, terms, signature }: SignedOffer) =>
  format === 'jws' ? { format, signature } : { format, payload: { version: 1, ...terms }, signature }
