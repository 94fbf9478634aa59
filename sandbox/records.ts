import { createHash } from 'node:crypto'
import { parsePrice } from '../src/domain/price.ts'
import { formatTimestamp } from '../src/domain/timestamp.ts'
import type { WrittenRecord } from '../src/wire/records.ts'
import { type SampleRoute, type SampleSeller, SELLERS } from './sellers.ts'

const HOUR_US = 3_600_000_000
const DAYS = 7
const EVERY_HOURS = 6

/** The sample sellers' listings, a week of probe entries and some unsigned reviews, as records to import. */
export function* sampleRecords(nowUs: number): Generator<WrittenRecord> {
  // Whole hours, so that a second start within the hour imports nothing new.
  const now = nowUs - (nowUs % HOUR_US)
  for (const seller of SELLERS) {
    for (const route of seller.routes) {
      yield* listings(seller, route, now)
      yield* entries(seller, route, now)
    }
  }
  yield review(SELLERS[0], 5, 'Answers in a blink and costs what the listing says.', now)
  yield review(SELLERS[4], 2, 'The listing said one cent, the live challenge asked for three.', now)
}

const address = (seller: SampleSeller, route: SampleRoute): string => `https://${seller.host}${route.path}`

function* listings(seller: SampleSeller, route: SampleRoute, now: number): Generator<WrittenRecord> {
  for (const { source, rail, price, network } of route.listings) {
    yield {
      kind: 'listing',
      source,
      method: route.method,
      url: address(seller, route),
      rail,
      price,
      network,
      label: 'directory-observed',
      first_observed: formatTimestamp(now - DAYS * 24 * HOUR_US),
      last_observed: formatTimestamp(now),
    }
  }
}

function* entries(seller: SampleSeller, route: SampleRoute, now: number): Generator<WrittenRecord> {
  const rails = new Set(route.listings.map((listing) => listing.rail))
  const rounds = seller.answers.length === 0 ? 0 : (DAYS * 24) / EVERY_HOURS
  for (let round = 0; round < rounds; round++) {
    const status = seller.answers[round % seller.answers.length] ?? null
    for (const rail of rails) {
      const spread = noise(`${seller.host}${route.path}${rail}${round}`)
      const asks = status === 402 && rail === 'x402' ? route.asks : undefined
      yield {
        kind: 'probe',
        method: route.method,
        url: address(seller, route),
        rail,
        date: formatTimestamp(now - round * EVERY_HOURS * HOUR_US - Math.floor(spread * 60_000_000)),
        http_status: status,
        latency_ms: Math.round(seller.typicalMs * (0.8 + 0.6 * spread)),
        error: status === null ? seller.error : null,
        ...(asks === undefined || parsePrice(asks) === undefined
          ? {}
          : {
              challenge: {
                offers: [{ rail, network: 'eip155:8453', price: asks, asset: null, payee: null }],
                warnings: [],
              },
            }),
      }
    }
  }
}

/** From 0 to 1, the same for the same text: the sample world looks alike on every machine. */
const noise = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32

function review(seller: SampleSeller | undefined, rating: number, text: string, now: number): WrittenRecord {
  const route = seller?.routes[0]
  if (!seller || !route) throw new Error('no such sample seller')
  return {
    kind: 'review',
    id: `sample-${seller.host}`,
    method: route.method,
    url: address(seller, route),
    rail: 'x402',
    rating,
    text,
    level: 'Unsigned',
    level_reason: null,
    excluded: null,
    superseded: false,
    wallet: null,
    signature: null,
    signed_at: null,
    payment: null,
    receipt: null,
    submitted_at: formatTimestamp(now),
  }
}
