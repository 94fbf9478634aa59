import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHIELDS } from '../../domain/now/vantage.ts'
import { METHODS, RAILS } from '../../domain/route.ts'
import { recordSchema } from '../records.ts'
import { exactRecords } from './exact.ts'
import { rememberedAddresses } from './fields.ts'
import { recordReader } from './record-reader.ts'

const ALLOW = ['*.seller.test']
const schema = recordSchema(ALLOW)
const reader = recordReader(ALLOW)
const exact = exactRecords(rememberedAddresses(ALLOW))

/** As a file holds it. */
const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** What is said of a value by the schema alone, and by what asks it last. */
function bothOf(value: unknown) {
  const [alone, read] = [schema.safeParse(value), reader(value)]
  const said = (reading: typeof alone) =>
    reading.success ? { data: reading.data, order: JSON.stringify(reading.data) } : { issues: reading.error.issues }
  return { alone: said(alone), read: said(read) }
}

function expectSame(value: unknown): void {
  const { alone, read } = bothOf(value)
  expect(read).toStrictEqual(alone)
}

const moment = fc
  .tuple(fc.date({ min: new Date(0), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true }), fc.nat(999))
  .map(([date, us]) => date.toISOString().replace('Z', `${String(us).padStart(3, '0')}Z`))
const price = fc.option(
  fc.tuple(fc.nat(9_007_199_253), fc.nat(999_999)).map(([a, b]) => `${a}.${String(b).padStart(6, '0')}`),
)
const address = fc.constantFrom(
  'https://api.seller.example/v1/x',
  'http://API.Seller.Example:8080/a?b=c#d',
  'https://api.seller.test/{id}/%7Bx%7D',
)
const text = fc.constantFrom('bazaar', 'connection refused', 'ein Wort – ü', '203.0.113.7', '👍', 'a\u00a0b')
const route = { method: fc.constantFrom(...METHODS), url: address, rail: fc.constantFrom(...RAILS) }
const waited = fc.option(fc.nat(2_147_483_647))
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value)

const offer = fc.record({
  rail: fc.constantFrom(...RAILS),
  network: orNull(fc.string()),
  price,
  asset: orNull(fc.string()),
  payee: orNull(fc.string()),
})
const probe = fc.record(
  {
    kind: fc.constant('probe'),
    ...route,
    date: moment,
    http_status: orNull(fc.integer({ min: 100, max: 999 })),
    latency_ms: fc.nat(2_147_483_647),
    error: orNull(text),
    challenge: orNull(fc.record({ offers: fc.array(offer, { maxLength: 3 }), warnings: fc.array(fc.string()) })),
    timings: orNull(
      fc.record({ dns_ms: waited, connect_ms: waited, tls_ms: waited, first_byte_ms: waited }, { requiredKeys: [] }),
    ),
    remote_address: orNull(text),
    vantage: fc.constantFrom('eu-1', 'a'),
    shield: fc.constantFrom(...SHIELDS),
  },
  { requiredKeys: ['kind', 'method', 'url', 'rail', 'date', 'http_status', 'latency_ms', 'error'] },
)
const listing = fc
  .tuple(
    fc.record(
      {
        kind: fc.constant('listing'),
        source: text,
        ...route,
        price,
        network: orNull(fc.constantFrom('base', 'eip155:8453', 'Base Sepolia', 'tempo:4217')),
        label: fc.constant('directory-observed'),
        no_longer_named_since: moment,
        one_of_several: fc.constant(true),
        method_stated: fc.constant(false),
        description: text,
      },
      { requiredKeys: ['kind', 'source', 'method', 'url', 'rail', 'price', 'network', 'label'] },
    ),
    moment,
    moment,
  )
  .map(([record, a, b]) => ({ ...record, first_observed: a < b ? a : b, last_observed: a < b ? b : a }))
const record = fc.oneof(probe, listing)

/** What stands in the place of something good. */
const ODD: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, -0, 0.5, 99, 100, 1000, 2_147_483_648, 1e300, [], {}, [[]], [null], ['x']],
  ...['', ' a', 'a\nb', 'x'.repeat(101), 'x'.repeat(201), 'x'.repeat(501), '\u202e', '\ud800', '402', '0.01', '1'],
  ...['probe', 'listing', 'sweep', 'GET', 'get', 'x402', 'card', 'EU', 'akamai', 'nobody', 'base', 'base, solana'],
  ...['9999999999.999999', '0.010000', '2026-02-30T00:00:00Z', '2026-11-14T12:34:56+00:00', '2026-11-14T12:34:56Z'],
  ...['1970-01-01T00:00:00.000000Z', '2199-01-01T00:00:00.000000Z', 'https://10.0.0.1/', 'directory-observed'],
]
const odd = fc.oneof(fc.constantFrom(...ODD), fc.jsonValue({ maxDepth: 2 }))

/** Where objects and lists of a value are, itself first. */
function placesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(placesIn)]
}

const change = fc.record({
  place: fc.nat(20),
  member: fc.nat(20),
  how: fc.constantFrom('other', 'gone', 'more', 'proto', 'turned'),
  odd,
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(value: unknown, { place, member, how, odd: other }: Change): unknown {
  const copy = written(value)
  const places = placesIn(copy)
  const at = places[place % places.length] ?? {}
  const names = Object.keys(at)
  const name = names[member % Math.max(names.length, 1)] ?? 'more'
  const put = (to: string, what: unknown) =>
    Object.defineProperty(at, to, { value: what, enumerable: true, configurable: true, writable: true })
  if (how === 'other') put(name, other)
  else if (how === 'more') put(Array.isArray(at) ? String(names.length) : 'more', other)
  else if (how === 'proto') put('__proto__', other)
  else if (how === 'gone') Reflect.deleteProperty(at, name)
  else {
    const members = Object.entries(at).reverse()
    for (const [key] of members) Reflect.deleteProperty(at, key)
    for (const [key, what] of members) put(key, what)
  }
  return written(copy)
}

const TIME = '2026-11-14T12:34:56.123456Z'
const ROUTE = { method: 'GET', url: 'https://api.seller.example/v1/x', rail: 'x402' }
/** All that one can have. */
const FULL = [
  {
    ...{ kind: 'listing', source: 'bazaar', ...ROUTE, price: '0.010000', network: 'base', label: 'directory-observed' },
    ...{ first_observed: TIME, last_observed: TIME, no_longer_named_since: TIME, one_of_several: true },
    ...{ method_stated: false, description: 'Weather of tomorrow' },
  },
  {
    ...{ kind: 'probe', ...ROUTE, date: TIME, http_status: 402, latency_ms: 80, error: 'late' },
    challenge: {
      offers: [{ rail: 'mpp', network: 'base', price: '0.010000', asset: 'a', payee: 'b' }],
      warnings: ['no_no_store'],
    },
    timings: { dns_ms: 1, connect_ms: 2, tls_ms: 3, first_byte_ms: 4 },
    ...{ remote_address: '203.0.113.7', vantage: 'eu-1', shield: 'akamai' },
  },
]
/** Each with its number among all that a value has. */
const MEMBERS = FULL.flatMap((value) =>
  placesIn(value).flatMap((at, place) => Object.keys(at).map((name, member) => ({ value, place, member, name }))),
)

describe('listings and entries read by what is written out for them', () => {
  it('are what the schema makes of them, member by member in their order, and need not ask it', () => {
    fc.assert(
      fc.property(record, (value) => {
        const given = written(value)
        const { alone, read } = bothOf(given)
        expect(read).toStrictEqual(alone)
        expect('data' in alone).toBe(exact(given) !== undefined)
      }),
      { numRuns: 500 },
    )
  })

  it.each(MEMBERS)('are read as by the schema with whatever stands for $name', ({ value, place, member }) => {
    for (const how of ['gone', 'proto', 'more', 'turned'] as const)
      expectSame(changed(value, { place, member, how, odd: 1 }))
    for (const other of ODD) expectSame(changed(value, { place, member, how: 'other', odd: other }))
  })

  it('are refused as the schema refuses them, where anything is odd', () => {
    fc.assert(
      fc.property(record, fc.array(change, { minLength: 1, maxLength: 3 }), (value, changes) => {
        expectSame(changes.reduce<unknown>(changed, value))
      }),
      { numRuns: 1500 },
    )
  })

  it('leave every other value to the schema', () => {
    fc.assert(
      fc.property(odd, (value) => {
        expect(exact(written(value ?? null))).toBeUndefined()
      }),
    )
  })
})
