import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isListedNetwork } from '../../domain/network.ts'
import type { Rail } from '../../domain/route.ts'
import { type LiveAnswer, MOST_OFFERS, readChallenge } from './challenge.ts'
import { WARNING_MEANINGS } from './warnings.ts'

/** What holds for every answer, good or hostile. */
function check(answer: Omit<LiveAnswer, 'url' | 'status' | 'nowUs'>): void {
  const challenge = readChallenge({ url: 'https://api.example/v1/x', status: 402, nowUs: 1e15, ...answer })
  if (challenge === null) return
  expect(challenge.offers.length).toBeLessThanOrEqual(MOST_OFFERS)
  for (const warning of challenge.warnings) expect(WARNING_MEANINGS).toHaveProperty(warning)
  for (const offer of challenge.offers) {
    expect(offer.network === null || isListedNetwork(offer.network)).toBe(true)
    expect(offer.price === null || (Number.isSafeInteger(offer.price) && offer.price >= 0)).toBe(true)
    for (const text of [offer.asset, offer.payee]) expect(text ?? 'null').toMatch(/^[\x21-\x7e]{1,200}$/)
  }
}

const FIELDS = ['x402Version', 'accepts', 'resource', 'url', 'network', 'amount', 'maxAmountRequired', 'asset', 'payTo']
const VALUES = [
  'eip155:8453',
  'base',
  '10000',
  '0.1',
  '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'constructor',
  'https://[',
]
const value = fc.oneof(
  fc.constantFrom<unknown>(...VALUES, 1, 2, 1e300, -0, null, true, [], {}),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }),
)
const item = fc.dictionary(fc.constantFrom(...FIELDS, '__proto__'), value)
const document = fc.record(
  { x402Version: value, resource: fc.oneof(value, item), accepts: fc.oneof(value, fc.array(fc.oneof(item, value))) },
  { requiredKeys: [] },
)
const bytes = (text: string): Buffer => Buffer.from(text)
const base64 = (text: string): string => bytes(text).toString('base64url')

const TEMPO_USDC = '0x20c000000000000000000000b9537d11c60e8b50'
const blank = fc.constantFrom<unknown>('', null, undefined)

/** Offers in their order: a good one of so many base units, or whatever a stranger writes in its place. */
const mixed = fc.array(
  fc.record({ n: fc.option(fc.integer({ min: 1, max: 1e6 })), bad: fc.oneof(item, value, fc.constant({ payTo: '' })) }),
  { minLength: 1, maxLength: 12 },
)
type Mixed = typeof mixed extends fc.Arbitrary<infer T> ? T : never

/** Every good offer among those is read as it stands there. */
function yields(rows: Mixed, rail: Rail, answer: Parameters<typeof check>[0]): void {
  check(answer)
  const found = readChallenge({ url: 'https://api.example/v1/x', status: 402, nowUs: 1e15, ...answer })
  const read = found?.offers.map((one) => [one.rail, one.network, one.asset, one.payee, one.price].join())
  const place = rail === 'x402' ? [rail, VALUES[0], VALUES[4]] : [rail, 'tempo:4217', TEMPO_USDC]
  expect(rows.filter(({ n }) => n !== null && !read?.includes([...place, VALUES[4], n].join()))).toEqual([])
}

describe('readChallenge', () => {
  it('never throws on documents of odd shape, in header, body or request', () => {
    fc.assert(
      fc.property(document, item, (x402, request) => {
        const text = JSON.stringify(x402)
        const mpp = `Payment id="1", method="tempo", request="${base64(JSON.stringify(request))}"`
        check({
          headers: [
            ['payment-required', base64(text)],
            ['www-authenticate', mpp],
          ],
          body: bytes(text),
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('yields every good x402 offer, whatever stands among them, in every place and version', () => {
    const places = fc.constantFrom('header', 'other header', 'body')
    const forms = fc.constantFrom(...(['amount', 'maxAmountRequired'] as const))
    fc.assert(
      fc.property(places, fc.constantFrom(1, 2, undefined), mixed, forms, blank, (place, version, rows, form, none) => {
        const other = form === 'amount' ? 'maxAmountRequired' : 'amount'
        const accepts = rows.map(({ bad, n }) =>
          n === null
            ? bad
            : { network: VALUES[0], [form]: String(n), [other]: none, asset: VALUES[4], payTo: VALUES[4] },
        )
        const text = JSON.stringify({ x402Version: version, accepts })
        const name = place === 'header' ? 'PAYMENT-REQUIRED' : 'X-PAYMENT-REQUIRED'
        const headers: LiveAnswer['headers'] = place === 'body' ? [] : [[name, base64(text)]]
        yields(rows, 'x402', { headers, body: bytes(place === 'body' ? text : '') })
      }),
      { numRuns: 500 },
    )
  })

  it('yields every good mpp offer, whatever stands among them, in one line or in many', () => {
    const line = (request: unknown, more = ''): string =>
      `Payment id="1", realm="r", method="tempo", intent="charge", request="${base64(JSON.stringify(request))}"${more}`
    const chain = fc.constantFrom<unknown>(4217, '4217', '0x1079', 'eip155:4217', null, undefined)
    fc.assert(
      fc.property(mixed, chain, fc.boolean(), (rows, chainId, isOneLine) => {
        const lines = rows.map(({ bad, n }) =>
          n === null
            ? line(
                { amount: bad, currency: bad, recipient: bad, methodDetails: { chainId: bad, splits: bad } },
                ', x="',
              )
            : line({ amount: String(n), currency: TEMPO_USDC, recipient: VALUES[4], methodDetails: { chainId } }),
        )
        const whole = lines.map((text) => text.replace(/, x="$/, ''))
        const sent = isOneLine ? [whole.join(', ')] : lines
        const headers = sent.map((text) => ['WWW-Authenticate', text] as const)
        yields(rows, 'mpp', { headers, body: bytes('') })
      }),
      { numRuns: 500 },
    )
  })

  it('never throws on headers and bodies of any text', () => {
    const name = fc.constantFrom('payment-required', 'x-payment-required', 'www-authenticate', 'cache-control', 'other')
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'Payment id="\\,= {}[]:x1') }), fc.json())
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text), { maxLength: 8 }), fc.uint8Array(), (headers, body) => {
        check({ headers, body })
      }),
      { numRuns: 1000 },
    )
  })

  it('never throws on a good challenge with some bytes changed', () => {
    const offer = { scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: VALUES[4], payTo: VALUES[4] }
    const good = JSON.stringify({
      x402Version: 2,
      resource: { url: 'https://api.example/v1/x' },
      accepts: [offer, offer],
    })
    const line = `L402 a="b", Payment id="1", realm="r", method="tempo", intent="charge", request="${base64(good)}", expires="2026-11-14T00:00:00Z"`
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 })
    const mutate = (text: string, changes: readonly (readonly [number, number])[]): Buffer => {
      const changed = bytes(text)
      for (const [at, byte] of changes) changed[at % changed.length] = byte
      return changed
    }
    fc.assert(
      fc.property(edits, (changes) => {
        const header = mutate(base64(good), changes).toString('latin1')
        const authenticate = mutate(line, changes).toString('latin1')
        check({
          headers: [
            ['PAYMENT-REQUIRED', header],
            ['WWW-Authenticate', authenticate],
          ],
          body: mutate(good, changes),
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws on the largest and the most crowded of inputs', () => {
    const size = 64 * 1024
    const crowds = [',', '"', '\\', 'a,', 'a=,', 'a="",', 'Payment ', 'Payment,', '[', '{"a":', '[[],', 'A', '=', ' ']
    for (const crowd of crowds) {
      const text = crowd.repeat(Math.floor(size / crowd.length))
      check({
        headers: [
          ['payment-required', text],
          ['www-authenticate', text],
        ],
        body: bytes(text),
      })
      check({
        headers: [['www-authenticate', `Payment request="${base64(text).slice(0, 60_000)}"`]],
        body: bytes(`${text}x`),
      })
    }
  })
})
