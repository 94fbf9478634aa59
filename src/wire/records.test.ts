import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHIELDS } from '../domain/now/vantage.ts'
import { keptSpans, PROOF_KINDS, type ProofSpan } from '../domain/seller/proof.ts'
import { LATEST_US } from '../domain/time/timestamp.ts'
import { canonical } from './log/canonical.ts'
import { LARGEST_ENTRY } from './log/entry.ts'
import { loggedOf } from './log/logged-record.ts'
import { recordSchema, type WrittenRecord } from './records.ts'
import { type Claim, claimRecord } from './sellers/records.ts'

const TIME = '2026-11-14T12:34:56.123456Z'
const TIME_US = Date.UTC(2026, 10, 14, 12, 34, 56) * 1000 + 123_456
const URL = 'https://api.seller.example/v1/x'
const WALLET = '0x1111111111111111111111111111111111111111'
const ROUTE = { method: 'GET', url: URL, rail: 'x402' }
const ADDRESS = { scheme: 'https', host: 'api.seller.example', path: '/v1/x' }

const RECORDS = {
  listing: {
    kind: 'listing',
    source: 'bazaar',
    ...ROUTE,
    price: '0.010000',
    network: 'base',
    label: 'directory-observed',
    first_observed: TIME,
    last_observed: TIME,
  },
  payee: {
    kind: 'payee',
    ...ROUTE,
    network: 'base',
    payee: WALLET,
    asset: null,
    origin: 'listing',
    first_observed: TIME,
    last_observed: TIME,
  },
  document: {
    kind: 'document',
    source: 'well-known',
    host: 'api.seller.example',
    url: 'https://api.seller.example/.well-known/x402',
    sha256: 'ab'.repeat(32),
    read: TIME,
    seen: 2,
    stored: 1,
    refused: [{ reason: 'foreign_host', item: 'https://else.example/x' }],
    refused_total: 1,
  },
  probe: { kind: 'probe', ...ROUTE, date: TIME, http_status: 402, latency_ms: 80, error: null },
  review: {
    kind: 'review',
    id: 'review-1',
    ...ROUTE,
    rating: 5,
    text: 'Fast.\nAs described.',
    level: 'Verified buyer',
    level_reason: null,
    excluded: null,
    superseded: false,
    wallet: WALLET,
    signature: '0x22',
    signed_at: '2026-11-14T12:34:56Z',
    payment: { network: 'base', transaction: '0x33' },
    receipt: { any: ['thing'] },
    submitted_at: TIME,
  },
  post: {
    kind: 'post',
    id: 'post-1',
    host: 'api.seller.example',
    text: 'Does it keep its limits?',
    wallet: WALLET,
    signature: '0x22',
    signed_at: '2026-11-14T12:34:56Z',
    posted_at: TIME,
    rail: 'mpp',
    payment: { network: 'tempo:4217', transaction: '0x44', payer: WALLET },
    hidden: null,
  },
  event: { kind: 'event', host: 'api.seller.example', event: 'price-changed', date: TIME, route: null, data: { a: 1 } },
} as const
const KINDS = ['listing', 'payee', 'probe', 'review', 'post', 'event'] as const

const schema = recordSchema([])
const read = (record: unknown): unknown => schema.safeParse(record).data
/** `field: message` of the first fault, as an import prints it; `undefined` when the record is fine. */
const fault = (record: unknown): string | undefined => {
  const [issue] = schema.safeParse(record).error?.issues ?? []
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

describe('records', () => {
  it.each(KINDS)('take a %s as it is written in the documentation', (kind) => {
    expect(fault(RECORDS[kind])).toBeUndefined()
    expect(read(RECORDS[kind])).toMatchObject({ kind })
  })

  it('give what the rest of the program works with: parsed addresses, microseconds, millionths', () => {
    expect(read(RECORDS.listing)).toEqual({
      ...RECORDS.listing,
      url: ADDRESS,
      price: 10_000,
      first_observed: TIME_US,
      last_observed: TIME_US,
    })
    expect(read({ ...RECORDS.listing, price: null, network: null })).toMatchObject({ price: null, network: null })
    expect(read(RECORDS.probe)).toMatchObject({ date: TIME_US, challenge: null, timings: null, remote_address: null })
    expect(read({ ...RECORDS.post, host: 'API.Seller.Example.' })).toMatchObject({ host: 'api.seller.example' })
    expect(read({ ...RECORDS.event, route: ROUTE })).toMatchObject({ route: { ...ROUTE, url: ADDRESS } })
  })

  it('take a review of an export that says null where nothing is hidden', () => {
    expect(fault({ ...RECORDS.review, hidden: null })).toBeUndefined()
  })

  it('take all that a probe may carry', () => {
    const offer = { rail: 'x402', network: 'base', price: '0.010000', asset: null, payee: WALLET }
    const full = {
      ...RECORDS.probe,
      http_status: null,
      error: 'timed out',
      challenge: { offers: [offer, { ...offer, price: null, network: null }], warnings: ['no_no_store'] },
      timings: { dns_ms: 1, tls_ms: null },
      remote_address: '192.0.2.1',
    }
    expect(read(full)).toMatchObject({
      challenge: { offers: [{ price: 10_000 }, { price: null }] },
      timings: { dns_ms: 1, connect_ms: null, tls_ms: null, first_byte_ms: null },
    })
  })

  it.each(KINDS)('refuse a %s with a field that nobody knows', (kind) => {
    expect(fault({ ...RECORDS[kind], extra: 1 })).toMatch(/Unrecognized key: "extra"/)
  })

  it.each(KINDS.flatMap((kind) => Object.keys(RECORDS[kind]).map((field) => [kind, field] as const)))(
    'refuse a %s without its %s',
    (kind, field) => {
      const rest = Object.entries(RECORDS[kind]).filter(([name]) => name !== field)
      expect(fault(Object.fromEntries(rest))).toMatch(new RegExp(`^${field}: Invalid`))
    },
  )

  it.each([
    ['listing', { price: '0.01' }, 'price: expected a decimal with six fractional digits, or null'],
    ['listing', { price: 0.01 }, 'price: Invalid input: expected string, received number'],
    ['listing', { price: '-0.010000' }, 'price: expected a decimal with six fractional digits, or null'],
    ['listing', { price: '9999999999.999999' }, 'price: expected at most 9007199254.740991'],
    ['listing', { network: 'base, solana' }, 'network: expected a network name'],
    ['listing', { network: '' }, 'network: expected a network name'],
    ['listing', { source: '' }, 'source: the text is empty'],
    ['listing', { source: 'two\nlines' }, 'source: the text holds line breaks or outer spaces'],
    ['listing', { source: 's'.repeat(101) }, 'source: the text is longer than 100 characters'],
    ['listing', { label: 'checked' }, 'label: Invalid input: expected "directory-observed"'],
    ['listing', { method: 'get' }, /^method: Invalid option: expected one of "GET"/],
    ['listing', { method: 'HEAD' }, /^method: Invalid option/],
    ['listing', { rail: 'card' }, 'rail: Invalid option: expected one of "x402"|"mpp"'],
    ['listing', { url: 'ftp://api.seller.example/' }, 'url: not an http or https address'],
    ['listing', { url: 'https://user@api.seller.example/' }, 'url: an address with user information is refused'],
    ['listing', { url: 'https://10.0.0.1/' }, 'url: an IP address is not a seller host'],
    ['listing', { url: 'https://api.seller.test/' }, 'url: names under .test are not public'],
    ['listing', { url: 'https://localhost/' }, 'url: a single label is not a public host name'],
    ['listing', { url: `https://a.example/${'x'.repeat(2000)}` }, 'url: the path is longer than 2000 bytes'],
    ['listing', { first_observed: '2026-02-30T00:00:00.000000Z' }, /^first_observed: expected a UTC time such as/],
    ['listing', { last_observed: 1 }, 'last_observed: Invalid input: expected string, received number'],
    ['listing', { last_observed: '2026-11-14T12:34:56.123455Z' }, 'last_observed: must not be before first_observed'],
    ['payee', { last_observed: '2026-11-14T12:34:56.123455Z' }, 'last_observed: must not be before first_observed'],
    ['payee', { network: null }, /^network: Invalid input/],
    ['payee', { payee: '' }, 'payee: the text is empty'],
    ['payee', { asset: '' }, 'asset: the text is empty'],
    ['payee', { origin: 'rumour' }, /^origin: Invalid option/],
    ['probe', { date: '2026-11-14T12:34:56.123456+00:00' }, /^date: expected a UTC time such as/],
    ['probe', { http_status: 99 }, /^http_status: Too small/],
    ['probe', { http_status: 1000 }, /^http_status: Too big/],
    ['probe', { http_status: 402.5 }, /^http_status: Invalid input: expected int/],
    ['probe', { http_status: '402' }, /^http_status: Invalid input: expected number/],
    ['probe', { latency_ms: -1 }, /^latency_ms: Too small/],
    ['probe', { latency_ms: 2_147_483_648 }, /^latency_ms: Too big/],
    ['probe', { latency_ms: null }, /^latency_ms: Invalid input/],
    ['probe', { error: 'a\nb' }, 'error: the text holds line breaks or outer spaces'],
    ['probe', { error: 'x'.repeat(201) }, 'error: the text is longer than 200 characters'],
    ['probe', { challenge: { offers: [] } }, /^challenge.warnings: Invalid input/],
    ['probe', { challenge: { offers: [{}], warnings: [] } }, /^challenge.offers.0.rail: Invalid option/],
    ['probe', { challenge: { offers: [], warnings: [], more: 1 } }, /^challenge: Unrecognized key/],
    ['probe', { timings: { dns_ms: -1 } }, /^timings.dns_ms: Too small/],
    ['probe', { timings: { total_ms: 1 } }, /^timings: Unrecognized key/],
    ['review', { rating: 0 }, /^rating: Too small/],
    ['review', { rating: 6 }, /^rating: Too big/],
    ['review', { rating: 4.5 }, /^rating: Invalid input: expected int/],
    ['review', { text: '' }, 'text: the text is empty'],
    ['review', { text: 'x'.repeat(4001) }, 'text: the text is longer than 4000 characters'],
    ['review', { text: 'a\u202eb' }, /^text: the text holds control, bidirectional/],
    ['review', { text: '\ud800' }, 'text: the text is not well-formed Unicode'],
    ['review', { level: 'verified' }, /^level: Invalid option/],
    ['review', { excluded: true }, /^excluded: Invalid option/],
    ['review', { superseded: 0 }, /^superseded: Invalid input: expected boolean/],
    ['review', { payment: { network: 'base' } }, /^payment.transaction: Invalid input/],
    ['review', { receipt: [] }, /^receipt: Invalid input/],
    ['post', { host: 'seller' }, 'host: a single label is not a public host name'],
    ['post', { payment: null }, /^payment: Invalid input/],
    ['review', { hidden: { at: TIME } }, /^hidden.reason: Invalid input/],
    ['post', { hidden: { at: TIME } }, /^hidden.reason: Invalid input/],
    ['post', { hidden: { at: 'yesterday', reason: 'spam' } }, /^hidden.at: expected a UTC time/],
    ['event', { route: { ...ROUTE, host: 'a.example' } }, /^route: Unrecognized key/],
    ['event', { route: { ...ROUTE, url: 'x' } }, 'route.url: not an http or https address'],
    ['event', { data: 'text' }, /^data: Invalid input/],
  ] as const)('refuse a %s with %o', (kind, change, message) => {
    const found = fault({ ...RECORDS[kind], ...change })
    if (typeof message === 'string') expect(found).toBe(message)
    else expect(found).toMatch(message)
  })

  it.each([
    ['an unknown kind', { kind: 'rumour' }],
    ['no kind', {}],
    ['a list', []],
    ['a text', 'listing'],
    ['a number', 1],
    ['null', null],
  ])('refuse %s', (_what, record) => expect(fault(record)).toMatch(/Invalid (input|discriminator value)/))

  it('refuse anything that is no record, without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(schema.safeParse(value).success).toBe(false)
      }),
    )
  })

  it('take every moment, price and status in their range', () => {
    const moment = fc.integer({ min: 0, max: Math.floor(LATEST_US / 1000) }).map((ms) => new Date(ms).toISOString())
    const price = fc.tuple(fc.nat(9_007_199_253), fc.nat(999_999)).map(([a, b]) => `${a}.${String(b).padStart(6, '0')}`)
    fc.assert(
      fc.property(moment, price, fc.option(fc.integer({ min: 100, max: 999 })), (date, amount, http_status) => {
        const listing = { ...RECORDS.listing, price: amount, first_observed: date, last_observed: date }
        expect(fault(listing)).toBeUndefined()
        expect(fault({ ...RECORDS.probe, date, http_status })).toBeUndefined()
      }),
    )
  })

  it('take nested data only as deep as it can be written again', () => {
    const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(fault({ ...RECORDS.event, data: { a: nested(100) } })).toBeUndefined()
    expect(fault({ ...RECORDS.event, data: { a: nested(101) } })).toBe('data: nested deeper than 100 levels')
    expect(fault({ ...RECORDS.review, receipt: { a: nested(300_000) } })).toBe('receipt: nested deeper than 100 levels')
  })

  it('take the names that the operator allows, and only those', () => {
    const allowing = recordSchema(['*.seller.test'])
    const record = { ...RECORDS.probe, url: 'http://api.seller.test:8402/v1' }
    expect(allowing.safeParse(record).success).toBe(true)
    expect(allowing.safeParse({ ...RECORDS.post, host: 'api.seller.test' }).success).toBe(true)
    expect(allowing.safeParse({ ...record, url: 'http://api.other.test/v1' }).success).toBe(false)
  })
})

describe('what the log says of a record', () => {
  const wide = (n: number): string => '\u{1f600}'.repeat(n)
  const PATH = `/${'"'.repeat(1000)}`
  const LARGEST_ROUTE = { method: 'DELETE', url: `https://${'a'.repeat(60)}.example${PATH}`, rail: 'x402' } as const
  const hidden = { at: TIME, reason: wide(1000) }
  const signed = { wallet: wide(200), signature: 'f'.repeat(20_000), signed_at: wide(30) }
  const seen = { first_observed: TIME, last_observed: TIME }
  const host = 'api.seller.example'
  const most = Number.MAX_SAFE_INTEGER
  const sight = {
    ...{ vantage: 'v'.repeat(32), entries: most, newest: TIME, since: TIME, http_status: 999 },
    shield: SHIELDS.toSorted((a, b) => b.length - a.length)[0],
  }
  const flips: ProofSpan[] = Array.from({ length: 1000 }, (_, n) => {
    return { proof: PROOF_KINDS[n % 3] ?? 'file', sinceUs: 2 * n, seenUs: 2 * n, untilUs: 2 * n + 1 }
  })
  const claim: Claim = {
    ...{ host, wallet: wide(200), walletLine: wide(200), signature: signed.signature, signedAt: wide(30) },
    ...{ directory: wide(300), claimedUs: TIME_US, proofs: keptSpans(flips) },
  }

  /** Each with the longest that it may hold. */
  const LARGEST: readonly WrittenRecord[] = [
    {
      ...{ kind: 'listing', source: wide(100), ...LARGEST_ROUTE, price: '9007199254.740991', network: null },
      ...{ label: 'directory-observed', ...seen, no_longer_named_since: TIME, description: wide(500) },
    },
    {
      ...{ kind: 'payee', ...LARGEST_ROUTE, network: 'base', payee: wide(200), asset: wide(200), origin: 'challenge' },
      ...seen,
    },
    {
      ...{ kind: 'probe', ...LARGEST_ROUTE, date: TIME, http_status: 402, latency_ms: 2_147_483_647, error: wide(200) },
      ...{ remote_address: wide(100), vantage: sight.vantage, shield: sight.shield },
    },
    {
      kind: 'offer_key',
      host,
      kid: wide(600),
      jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) },
      ...seen,
      gone: TIME,
    },
    { kind: 'ownership', host, signer: wide(200), origin: wide(300), proof: wide(1000), ...seen },
    {
      ...{ kind: 'folded', ...LARGEST_ROUTE, answers: most, '402_correct': most, failed: most, unreachable: most },
      ...{ newest: TIME, challenge: null, challenge_at: TIME, run: { http_status: 402, since: TIME, last_402: TIME } },
      vantages: Array.from({ length: 250 }, () => sight),
    },
    {
      ...{ kind: 'review', id: wide(100), ...LARGEST_ROUTE, concrete_url: wide(4000), rating: 5, text: wide(4000) },
      ...{ level: 'Verified buyer', level_reason: wide(1000), excluded: 'self-generated', superseded: true, ...signed },
      payment: { network: 'base', transaction: wide(200) },
      payment_found: {
        ...{ asset: wide(200), amount: '9'.repeat(78), payer: wide(200), payee: wide(200), log_index: most, at: TIME },
        ...{ is_final: true, other_hosts: most, has_receipt: true, parts: Array.from({ length: 50 }, () => most) },
        channel: { id: wide(200), transaction: wide(200), refunded: '9'.repeat(78), is_open: false },
      },
      outcome: { http_status: 200, latency_ms: 1, bytes: most, content_sha256: 'ab'.repeat(32) },
      ...{ directory: wide(300), receipt: { some: wide(4000) }, submitted_at: TIME, hidden },
    },
    {
      ...{ kind: 'post', id: wide(100), host, text: wide(4000), ...signed, posted_at: TIME, rail: 'x402', hidden },
      payment: { network: 'base', transaction: wide(200), payer: wide(200) },
    },
    claimRecord(claim),
    {
      ...{ kind: 'statement', id: wide(100), host, says: 'correct', about: wide(2500), text: wide(4000), ...signed },
      ...{ directory: wide(300), submitted_at: TIME, hidden },
    },
  ]

  it.each(LARGEST.map((record) => [record.kind, record] as const))('fits an entry, of the largest %s', (_, record) => {
    const reading = recordSchema([]).safeParse(record)
    expect(reading.error?.issues[0]).toBeUndefined()
    const bytes = Buffer.byteLength(canonical(loggedOf(record)))
    expect(bytes).toBeLessThan(LARGEST_ENTRY - 500)
  })

  it('has a signature of as many bytes as any has, and no more', () => {
    const reading = recordSchema([]).safeParse({ ...claimRecord(claim), signature: wide(15_000) })
    expect(reading.error?.issues[0]?.message).toBe('longer than 20000 bytes')
  })
})
