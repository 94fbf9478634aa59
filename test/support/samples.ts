import type { Challenge } from '../../src/domain/challenge.ts'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import type { PostInput } from '../../src/store/posts/post-input.ts'
import type { OfferInput, OfferKeyInput } from '../../src/store/probes/offers/offer-input.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import type { ReviewInput } from '../../src/store/reviews/review-input.ts'
import type { Evidence } from '../../src/store/transfer/evidence.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import type { Claim, Statement } from '../../src/wire/sellers/records.ts'

/** 2026-11-14T12:00:00.000000Z */
export const NOON_US = Date.UTC(2026, 10, 14, 12) * 1000

export const aRoute = (more: Partial<RouteRef> = {}): RouteRef => ({
  host: 'api.seller.example',
  scheme: 'https',
  method: 'GET',
  path: '/v1/weather',
  rail: 'x402',
  ...more,
})

export const aListing = (more: Partial<ListingInput> = {}): ListingInput => ({
  ...aRoute(),
  source: 'bazaar',
  price: 10_000,
  network: 'base',
  firstUs: NOON_US,
  lastUs: NOON_US + 1,
  ...more,
})

export const aProbe = (more: Partial<ProbeInput> = {}): ProbeInput => ({
  ...aRoute(),
  atUs: NOON_US,
  httpStatus: 402,
  latencyMs: 80,
  error: null,
  challenge: null,
  timings: null,
  remoteAddress: null,
  vantage: null,
  shield: null,
  ...more,
})

export const aChallenge = (price: number, network = 'eip155:8453'): Challenge => ({
  offers: [{ rail: 'x402', network, price, asset: '0xasset', payee: '0xpayee' }],
  warnings: ['no_no_store'],
})

export const aReview = (more: Partial<ReviewInput> = {}): ReviewInput => ({
  ...aRoute(),
  id: 'review-1',
  url: 'https://api.seller.example/v1/weather',
  rating: 4,
  text: 'Fast and as described.',
  level: 'Signed',
  levelReason: null,
  excluded: null,
  superseded: false,
  wallet: '0x1111111111111111111111111111111111111111',
  signature: '0x22',
  signedAt: '2026-11-14T12:00:00Z',
  payment: null,
  paymentFound: null,
  directory: null,
  outcome: null,
  receipt: null,
  submittedUs: NOON_US,
  hidden: null,
  ...more,
})

export const aPost = (more: Partial<PostInput> = {}): PostInput => ({
  host: 'api.seller.example',
  id: 'post-1',
  text: 'Does it keep its rate limits?',
  wallet: '0x1111111111111111111111111111111111111111',
  signature: '0x33',
  signedAt: '2026-11-14T12:00:00Z',
  postedUs: NOON_US,
  rail: 'mpp',
  payment: { network: 'tempo:4217', transaction: '0x44', payer: '0x1111111111111111111111111111111111111111' },
  hidden: null,
  ...more,
})

const WALLET = '0x1111111111111111111111111111111111111111'

export const aClaim = (more: Partial<Claim> = {}): Claim => ({
  host: 'api.seller.example',
  wallet: WALLET,
  walletLine: WALLET,
  signature: '0x55',
  signedAt: '2026-11-14T12:00:00Z',
  directory: null,
  claimedUs: NOON_US,
  proofs: [{ proof: 'file', sinceUs: NOON_US, seenUs: NOON_US, untilUs: null }],
  ...more,
})

export const aStatement = (more: Partial<Statement> = {}): Statement => ({
  host: 'api.seller.example',
  id: 'statement-1',
  kind: 'contact',
  about: 'api.seller.example',
  text: 'Write to us.',
  wallet: WALLET,
  signature: '0x66',
  signedAt: '2026-11-14T12:00:00Z',
  directory: null,
  submittedUs: NOON_US,
  hidden: null,
  ...more,
})

export const anOffer = (more: Partial<OfferInput> = {}): OfferInput => ({
  ...aRoute(),
  offer: {
    format: 'eip712',
    terms: {
      ...{ resourceUrl: 'https://api.seller.example/v1/weather', scheme: 'exact', network: 'eip155:8453' },
      ...{ asset: '0xasset', payTo: WALLET, amount: '10000', validUntil: 0 },
    },
    signature: `0x${'7'.repeat(130)}`,
    kid: null,
  },
  firstUs: NOON_US,
  lastUs: NOON_US + 1,
  ...more,
})

export const anOfferKey = (more: Partial<OfferKeyInput> = {}): OfferKeyInput => ({
  host: 'api.seller.example',
  kid: 'did:web:api.seller.example#key-1',
  jwk: { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ' },
  firstUs: NOON_US,
  lastUs: NOON_US + 1,
  goneUs: null,
  ...more,
})

export const evidence = (more: Partial<Evidence>): Evidence => ({ ...NO_EVIDENCE, ...more })
