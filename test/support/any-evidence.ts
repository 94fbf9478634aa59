import fc from 'fast-check'
import { LONGEST_OUTCOME_MS } from '../../src/domain/buyers/outcome.ts'
import type { Challenge } from '../../src/domain/challenge.ts'
import { PAYEE_ORIGINS } from '../../src/domain/money/payee.ts'
import { SHIELDS } from '../../src/domain/now/vantage.ts'
import { EXCLUSIONS, LEVELS, type PaymentFound } from '../../src/domain/review.ts'
import { addressOf, METHODS, RAILS, SCHEMES } from '../../src/domain/route.ts'
import { LATEST_US } from '../../src/domain/time/timestamp.ts'
import { lineFault, textFault } from '../../src/domain/words/text.ts'
import type { EventInput } from '../../src/store/events/events.ts'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import type { PayeeInput } from '../../src/store/facts/payees.ts'
import type { UnlistedInput } from '../../src/store/facts/unlisted.ts'
import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import type { PostInput } from '../../src/store/posts/post-input.ts'
import type { ProbeInput, Timings } from '../../src/store/probes/probes.ts'
import type { ReviewInput } from '../../src/store/reviews/review-input.ts'
import type { Evidence } from '../../src/store/transfer/evidence.ts'
import { NOON_US } from './samples.ts'

/** Letters that are easily lost on the way: quotes, escapes, other planes, line ends of other alphabets. */
const letter = fc.oneof(
  fc.constantFrom('"', '\\', '/', '%', "'", '\n', '\u2028', '\u2029', 'é', '日', '👍', '𐀀', ' ', '\ufeff', '\u200d'),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
)
const written = fc.string({ unit: letter, minLength: 1, maxLength: 12 })
const line = written.filter((text) => lineFault(text, 50) === undefined)
const text = written.filter((value) => textFault(value) === undefined)
/** What a seller's answer may hold: anything that JSON can say. */
const foreign = fc.string({ unit: fc.oneof(letter, fc.constantFrom('\0', '\ud800', '\udc00', '\u202e')), maxLength: 8 })
const json = fc
  .dictionary(foreign, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  // The one name that an object read from JSON does not keep.
  .filter((value) => !Object.hasOwn(value, '__proto__'))

const us = fc.oneof(
  fc.integer({ min: NOON_US, max: NOON_US + 20 }),
  fc.constantFrom(0, 1, NOON_US - 3_000_000_000_000, LATEST_US),
)
const span = fc.tuple(us, us).map(([a, b]) => ({ firstUs: Math.min(a, b), lastUs: Math.max(a, b) }))
/** Its id has signs that no other has. */
const ALGORAND = 'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI='
const network = fc.constantFrom('base', 'eip155:8453', 'solana', 'tempo:4217', 'constructor', 'my-chain', ALGORAND)
const price = fc.oneof(fc.nat(20), fc.constantFrom(0, 10_000, Number.MAX_SAFE_INTEGER))
const rail = fc.constantFrom(...RAILS)
const ms = fc.oneof(fc.nat(300), fc.constant(2_147_483_647))
const host = fc.constantFrom('a.example', 'b.example:8443', 'xn--bcher-kva.example')

const route: fc.Arbitrary<RouteRef> = fc.record({
  host,
  scheme: fc.constantFrom(...SCHEMES),
  method: fc.constantFrom(...METHODS),
  path: fc.constantFrom('', '/', '/v1', '/:id', '/{id}', '/%7Bid%7D?q="\\', '/é/𐀀'),
  rail,
})

const listing: fc.Arbitrary<ListingInput> = fc
  .tuple(
    route,
    span,
    fc.record({ source: line, price: fc.option(price), network: fc.option(network) }),
    fc.constantFrom(null, null, 1, 1000),
    fc.constantFrom({}, {}, { isOneOfSeveral: true }, { isMethodStated: false }),
  )
  .map(([at, seen, said, after, several]) => ({
    ...at,
    ...seen,
    ...said,
    ...several,
    ...(after === null || seen.lastUs + after > LATEST_US ? {} : { goneUs: seen.lastUs + after }),
  }))

const unlisted: fc.Arbitrary<UnlistedInput> = fc.tuple(route, us).map(([at, sinceUs]) => ({ ...at, sinceUs }))

const payee: fc.Arbitrary<PayeeInput> = fc
  .tuple(
    route,
    span,
    fc.record({ network, payee: line, asset: fc.option(line), origin: fc.constantFrom(...PAYEE_ORIGINS) }),
  )
  .map(([at, seen, said]) => ({ ...at, ...seen, ...said }))

const challenge: fc.Arbitrary<Challenge> = fc.record({
  offers: fc.array(
    fc.record({
      rail,
      network: fc.option(fc.oneof(network, foreign)),
      price: fc.option(price),
      asset: fc.option(foreign),
      payee: fc.option(foreign),
    }),
    { maxLength: 3 },
  ),
  warnings: fc.array(foreign, { maxLength: 2 }),
})

const timings: fc.Arbitrary<Timings> = fc.record({
  dnsMs: fc.option(ms),
  connectMs: fc.option(ms),
  tlsMs: fc.option(ms),
  firstByteMs: fc.option(ms),
})

const probe: fc.Arbitrary<ProbeInput> = fc
  .tuple(
    route,
    fc.record({
      atUs: us,
      httpStatus: fc.option(fc.constantFrom(100, 200, 399, 400, 402, 404, 999)),
      latencyMs: ms,
      error: fc.option(line),
      challenge: fc.option(challenge),
      timings: fc.option(timings),
      remoteAddress: fc.option(line),
      vantage: fc.constantFrom(null, null, 'eu-1', 'us-1'),
      shield: fc.option(fc.constantFrom(...SHIELDS)),
    }),
  )
  .map(([at, seen]) => ({ ...at, ...seen }))

const units = fc.bigInt({ min: 0n, max: 2n ** 128n }).map(String)

const paymentFound: fc.Arbitrary<PaymentFound> = fc.record(
  {
    asset: line,
    amount: units,
    payer: line,
    payee: line,
    logIndex: fc.nat(),
    atUs: us,
    isFinal: fc.boolean(),
    otherHosts: fc.nat(),
    hasReceipt: fc.boolean(),
    parts: fc.array(fc.nat(), { maxLength: 3 }),
    channel: fc.record({ id: line, transaction: line, refunded: fc.option(units), isOpen: fc.boolean() }),
  },
  {
    requiredKeys: [
      ...(['asset', 'amount', 'payer', 'payee', 'logIndex', 'atUs', 'isFinal', 'otherHosts', 'hasReceipt'] as const),
    ],
  },
)

const review: fc.Arbitrary<ReviewInput> = fc
  .tuple(
    route,
    fc.boolean(),
    fc.record({
      id: line,
      rating: fc.integer({ min: 1, max: 5 }),
      text,
      level: fc.constantFrom(...LEVELS),
      levelReason: fc.option(line),
      excluded: fc.option(fc.constantFrom(...EXCLUSIONS)),
      superseded: fc.boolean(),
      outcome: fc.option(
        fc.record({
          httpStatus: fc.option(fc.integer({ min: 100, max: 999 })),
          latencyMs: fc.nat(LONGEST_OUTCOME_MS),
          bytes: fc.option(fc.nat()),
          contentSha256: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
        }),
      ),
      wallet: fc.option(line),
      signature: fc.option(line),
      signedAt: fc.option(line),
      payment: fc.option(fc.record({ network, transaction: line })),
      paymentFound: fc.option(paymentFound),
      directory: fc.option(line),
      receipt: fc.option(json),
      submittedUs: us,
      hidden: fc.option(fc.record({ atUs: us, reason: line })),
    }),
  )
  .map(([at, concrete, said]) => ({
    ...at,
    ...said,
    url: concrete ? `https://${at.host}/7` : addressOf(at.scheme, at.host, at.path),
  }))

const post: fc.Arbitrary<PostInput> = fc.record({
  host,
  id: line,
  text,
  wallet: line,
  signature: line,
  signedAt: line,
  postedUs: us,
  rail,
  payment: fc.record({ network, transaction: line, payer: line }),
  hidden: fc.option(fc.record({ atUs: us, reason: line })),
})

const event: fc.Arbitrary<EventInput> = fc.record({ host, kind: line, atUs: us, route: fc.option(route), data: json })

/** A batch of evidence of every kind, with few enough names that much of it meets. */
export const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
  listings: fc.array(listing, { maxLength: 12 }),
  unlisted: fc.array(unlisted, { maxLength: 6 }),
  payees: fc.array(payee, { maxLength: 6 }),
  probes: fc.array(probe, { maxLength: 20 }),
  reviews: fc.array(review, { maxLength: 6 }),
  posts: fc.array(post, { maxLength: 6 }),
  events: fc.array(event, { maxLength: 6 }),
  // Only a verified signature makes a claim, and only retention makes sums of entries: not anybody's to invent.
  ownership: fc.constant([]),
  signedOffers: fc.constant([]),
  offerKeys: fc.constant([]),
  claims: fc.constant([]),
  statements: fc.constant([]),
  keptSinceUs: fc.constant(null),
  folded: fc.constant([]),
  foldedLatency: fc.constant([]),
})
