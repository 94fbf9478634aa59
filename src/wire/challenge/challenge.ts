import { type Challenge, type Offer, VERSIONS_DIFFER } from '../../domain/challenge.ts'
import { networkKey } from '../../domain/network.ts'
import type { SignedOffer } from '../../domain/offers/signed-offer.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { MOST_SIGNED_OFFERS, readSignedOffers } from '../offers/read-offers.ts'
import { fieldOf } from './json.ts'
import { offerOfMpp, paymentChallenges, type Sharer } from './mpp.ts'
import type { ChallengeWarning, Warn } from './warnings.ts'
import { offersOfX402, type X402Document, x402OfBody, x402OfHeader } from './x402.ts'

/** An HTTP answer as it arrived. */
export interface LiveAnswer {
  /** The address that was called. */
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly nowUs: TimestampUs
}

/** Of each of the places that are read: one header's lines together, or the body. */
const MOST_CHALLENGE_BYTES = 64 * 1024
export const MOST_OFFERS = 50

/** Addresses of EVM chains differ in case alone; the same offer in header and body is one offer. */
const offerKey = (offer: Offer): string =>
  JSON.stringify([
    offer.rail,
    String(networkKey(offer.network ?? '')),
    offer.price,
    ...[offer.asset, offer.payee].map((text) => (text?.startsWith('0x') ? text.toLowerCase() : text)),
  ])

/**
 * What a live 402 answer asks for, on every rail and in every place where sellers put it. Each offer is read on its
 * own: a bad one leaves a warning and hides no other. `null` for an answer without any challenge. Never throws; the
 * work is bounded whatever the answer holds.
 */
export const readChallenge = (answer: LiveAnswer): Challenge | null => readDemand(answer).challenge

/** What a live 402 answer holds: what it asks for, and which offers its seller put a signature to. */
export interface Demand {
  readonly challenge: Challenge | null
  readonly signed: readonly SignedOffer[]
  /** With whom those to be paid share what they are paid. */
  readonly sharers: readonly Sharer[]
}

export const NO_DEMAND: Demand = { challenge: null, signed: [], sharers: [] }

/** As `readChallenge`, with the signed offers. */
export function readDemand(answer: LiveAnswer): Demand {
  if (answer.status !== 402) return NO_DEMAND
  const warnings = new Set<ChallengeWarning>()
  const offers = new Map<string, Offer>()
  const warn = (warning: ChallengeWarning): void => {
    warnings.add(warning)
  }
  const add = (found: readonly Offer[]): void => {
    for (const offer of found) {
      const key = offerKey(offer)
      if (offers.has(key)) continue
      if (offers.size < MOST_OFFERS) offers.set(key, offer)
      else warn('too_large')
    }
  }
  const linesOf = (wanted: string): string[] => {
    let bytes = 0
    const lines = answer.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
    return lines.filter((line) => {
      bytes += line.length
      if (bytes > MOST_CHALLENGE_BYTES) warn('too_large')
      return bytes <= MOST_CHALLENGE_BYTES
    })
  }

  const standard = linesOf('payment-required')
  if (standard.length > 1) warn('header_twice')
  const other = linesOf('x-payment-required')
  if (other.length > 0) warn('other_header')
  const documents = [...standard, ...other].flatMap((line) => x402OfHeader(line, warn) ?? [])
  const payments = linesOf('www-authenticate').flatMap(paymentChallenges)
  const body = bodyDocument(answer.body, warn)

  const offersIn = (document: X402Document): Offer[] => offersOfX402(document, answer.url, MOST_OFFERS, warn)
  const inHeaders = documents.map(offersIn)
  if (payments.length > MOST_OFFERS) warn('too_large')
  const sharers: Sharer[] = []
  const share = (sharer: Sharer): void => void sharers.push(sharer)
  const ofMpp = payments
    .slice(0, MOST_OFFERS)
    .flatMap((payment) => offerOfMpp(payment, answer.nowUs, warn, share) ?? [])
  const inBody = body === undefined ? [] : offersIn(body)
  const different = differing([...inHeaders, inBody])
  if (different.length > 0) warn(VERSIONS_DIFFER)
  // First, so that no number of other offers hides them.
  for (const found of [different, ...inHeaders, ofMpp, inBody]) add(found)

  if (body !== undefined && documents.length === 0 && fieldOf(body.fields, 'x402Version') === 2)
    warn('version_2_in_body')
  if (payments.length > 0 && !linesOf('cache-control').some((line) => /\bno-store\b/i.test(line))) warn('no_no_store')
  if (offers.size === 0 && warnings.size === 0) return NO_DEMAND
  const all = [...documents, ...(body === undefined ? [] : [body])]
  return {
    challenge: { offers: [...offers.values()], warnings: [...warnings] },
    signed: all.flatMap(({ fields }) => readSignedOffers(fields)).slice(0, MOST_SIGNED_OFFERS),
    sharers: sharers.slice(0, MOST_OFFERS),
  }
}

/** One offer of each document, on each network where two of them have no price in common: a client reads one of them alone. */
function differing(documents: readonly (readonly Offer[])[]): Offer[] {
  const priced = documents.map((offers) =>
    offers.flatMap((offer) =>
      offer.price === null || offer.network === null ? [] : [{ offer, key: networkKey(offer.network) }],
    ),
  )
  return [...new Set(priced.flat().map(({ key }) => key))].flatMap((key) => {
    const there = priced.map((offers) => offers.flatMap((one) => (one.key === key ? [one.offer] : [])))
    const named = there.filter(({ length }) => length > 0)
    const isOne = named.every((offers) => named.every((others) => haveOne(offers, others)))
    return isOne ? [] : named.flatMap(([first]) => first ?? [])
  })
}

const haveOne = (offers: readonly Offer[], others: readonly Offer[]): boolean =>
  offers.some(({ price }) => others.some((other) => other.price === price))

/** A body of the full size has been cut: it cannot be read, but whether it was a challenge can be seen. */
function bodyDocument(body: Uint8Array, warn: Warn): X402Document | undefined {
  const text = Buffer.from(body.subarray(0, MOST_CHALLENGE_BYTES)).toString('utf8')
  const document = body.length <= MOST_CHALLENGE_BYTES ? x402OfBody(text) : undefined
  if (document === undefined && body.length >= MOST_CHALLENGE_BYTES && text.includes('"x402Version"')) warn('too_large')
  return document
}
