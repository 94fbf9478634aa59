import { DIRECTORY_OBSERVED } from '../../domain/listing.ts'
import { parsePrice } from '../../domain/money/price.ts'
import { isListedNetwork } from '../../domain/network.ts'
import { isVantage, SHIELDS, type Shield } from '../../domain/now/vantage.ts'
import { type AddressReading, METHODS, type Method, RAILS, type Rail, type RouteAddress } from '../../domain/route.ts'
import { parseTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import { LONGEST_DESCRIPTION } from '../../domain/words/description.ts'
import { lineFault, unsafeFault } from '../../domain/words/text.ts'
import type { RecordOf } from '../records.ts'
import { LONGEST_WAIT_MS } from './fields.ts'

// Nearly all records of a store are listings and entries. What the schema takes of them is written out here once more, a
// third of the price: each answers what the schema would, or `undefined`, of which the schema has the last word.

type ListingRecord = RecordOf<'listing'>
type ProbeRecord = RecordOf<'probe'>
type ProbeChallenge = NonNullable<ProbeRecord['challenge']>
type ChallengeOffer = ProbeChallenge['offers'][number]
type ProbeTimings = NonNullable<ProbeRecord['timings']>

/** Of an object somebody wrote, members of these names. */
type Given<R extends object> = { readonly [Name in keyof R]?: unknown }

const isGiven = <R extends object>(value: unknown): value is Given<R> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether it has no others: `names` counts those of it that are known. */
const hasOnly = (value: object, names: number): boolean => Object.keys(value).length === names

const there = (value: unknown): number => (value === undefined ? 0 : 1)

const oneOf = <T>(values: readonly T[]): ReadonlyMap<unknown, T> => new Map(values.map((value) => [value, value]))
const METHOD: ReadonlyMap<unknown, Method> = oneOf(METHODS)
const RAIL: ReadonlyMap<unknown, Rail> = oneOf(RAILS)
const SHIELD: ReadonlyMap<unknown, Shield> = oneOf(SHIELDS)

const timeIn = (value: unknown): TimestampUs | undefined =>
  typeof value === 'string' ? parseTimestamp(value) : undefined

/** `undefined`: it is none; `null` stays. */
const priceIn = (value: unknown): number | null | undefined =>
  typeof value === 'string' ? parsePrice(value) : value === null ? null : undefined

const isLine = (value: unknown, most: number): value is string =>
  typeof value === 'string' && lineFault(value, most, unsafeFault) === undefined

const isLineOrNull = (value: unknown, most: number): value is string | null => value === null || isLine(value, most)

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most

/** What a timing is, where it is one; not there is as good as `null`. */
const timingIn = (value: unknown): number | null | undefined => {
  if (value === null || value === undefined) return null
  return isWhole(value, 0, LONGEST_WAIT_MS) ? value : undefined
}

function timingsIn(value: unknown): ProbeTimings | undefined {
  if (!isGiven<ProbeTimings>(value)) return undefined
  const names = there(value.dns_ms) + there(value.connect_ms) + there(value.tls_ms) + there(value.first_byte_ms)
  const dns_ms = timingIn(value.dns_ms)
  const connect_ms = timingIn(value.connect_ms)
  const tls_ms = timingIn(value.tls_ms)
  const first_byte_ms = timingIn(value.first_byte_ms)
  if (dns_ms === undefined || connect_ms === undefined || tls_ms === undefined || first_byte_ms === undefined) return
  return hasOnly(value, names) ? { dns_ms, connect_ms, tls_ms, first_byte_ms } : undefined
}

function offerIn(value: unknown): ChallengeOffer | undefined {
  if (!isGiven<ChallengeOffer>(value)) return undefined
  const { network, asset, payee } = value
  const rail = RAIL.get(value.rail)
  const price = priceIn(value.price)
  if (rail === undefined || price === undefined) return undefined
  if (!isTextOrNull(network) || !isTextOrNull(asset) || !isTextOrNull(payee)) return undefined
  return hasOnly(value, 5) ? { rail, network, price, asset, payee } : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

function challengeIn(value: unknown): ProbeChallenge | undefined {
  if (!isGiven<ProbeChallenge>(value) || !Array.isArray(value.offers) || !Array.isArray(value.warnings))
    return undefined
  const offers: ChallengeOffer[] = []
  for (const given of value.offers) {
    const offer = offerIn(given)
    if (offer === undefined) return undefined
    offers.push(offer)
  }
  return value.warnings.every(isText) && hasOnly(value, 2) ? { offers, warnings: [...value.warnings] } : undefined
}

type ReadAddress = (url: string) => AddressReading

function addressIn(read: ReadAddress, value: unknown): RouteAddress | undefined {
  if (typeof value !== 'string') return undefined
  const reading = read(value)
  return reading.ok ? reading.address : undefined
}

function listingIn(value: Given<ListingRecord>, read: ReadAddress): ListingRecord | undefined {
  const { source, network, no_longer_named_since, one_of_several, method_stated, description } = value
  const method = METHOD.get(value.method)
  const url = addressIn(read, value.url)
  const rail = RAIL.get(value.rail)
  const price = priceIn(value.price)
  const first_observed = timeIn(value.first_observed)
  const last_observed = timeIn(value.last_observed)
  if (method === undefined || url === undefined || rail === undefined || price === undefined) return undefined
  if (first_observed === undefined || last_observed === undefined || last_observed < first_observed) return undefined
  if (!isLine(source, 100) || !(network === null || (isText(network) && isListedNetwork(network)))) return undefined
  if (value.label !== DIRECTORY_OBSERVED) return undefined
  const record: ListingRecord = {
    kind: 'listing',
    source,
    method,
    url,
    rail,
    price,
    network,
    label: DIRECTORY_OBSERVED,
    first_observed,
    last_observed,
  }
  let names = 10
  if (no_longer_named_since !== undefined) {
    const time = timeIn(no_longer_named_since)
    if (time === undefined) return undefined
    record.no_longer_named_since = time
    names += 1
  }
  if (one_of_several !== undefined) {
    if (one_of_several !== true) return undefined
    record.one_of_several = true
    names += 1
  }
  if (method_stated !== undefined) {
    if (method_stated !== false) return undefined
    record.method_stated = false
    names += 1
  }
  if (description !== undefined) {
    if (!isLine(description, LONGEST_DESCRIPTION)) return undefined
    record.description = description
    names += 1
  }
  return hasOnly(value, names) ? record : undefined
}

function probeIn(value: Given<ProbeRecord>, read: ReadAddress): ProbeRecord | undefined {
  const { http_status, latency_ms, error, remote_address = null, vantage } = value
  const method = METHOD.get(value.method)
  const url = addressIn(read, value.url)
  const rail = RAIL.get(value.rail)
  const date = timeIn(value.date)
  if (method === undefined || url === undefined || rail === undefined || date === undefined) return undefined
  if (!(http_status === null || isWhole(http_status, 100, 999)) || !isWhole(latency_ms, 0, LONGEST_WAIT_MS)) return
  if (!isLineOrNull(error, 200) || !isLineOrNull(remote_address, 100)) return undefined
  const challenge = (value.challenge ?? null) === null ? null : challengeIn(value.challenge)
  const timings = (value.timings ?? null) === null ? null : timingsIn(value.timings)
  if (challenge === undefined || timings === undefined) return undefined
  const record: ProbeRecord = {
    kind: 'probe',
    method,
    url,
    rail,
    date,
    http_status,
    latency_ms,
    error,
    challenge,
    timings,
    remote_address,
  }
  if (vantage !== undefined) {
    if (!isText(vantage) || !isVantage(vantage)) return undefined
    record.vantage = vantage
  }
  if (value.shield !== undefined) {
    const shield = SHIELD.get(value.shield)
    if (shield === undefined) return undefined
    record.shield = shield
  }
  const maybe = there(value.challenge) + there(value.timings) + there(value.remote_address)
  return hasOnly(value, 8 + maybe + there(vantage) + there(value.shield)) ? record : undefined
}

/** A listing or an entry that is exactly as the schema takes it; `undefined`: the schema is to be asked. */
export const exactRecords =
  (read: ReadAddress) =>
  (value: unknown): ListingRecord | ProbeRecord | undefined => {
    if (!isGiven<{ kind: unknown }>(value)) return undefined
    if (value.kind === 'probe') return probeIn(value, read)
    return value.kind === 'listing' ? listingIn(value, read) : undefined
  }
