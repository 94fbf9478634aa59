import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paidRequest } from '../../../test/support/paid-door.ts'
import { Problem } from '../../domain/problem.ts'
import { type Credential, isSet, type PaidRequest, type PaymentRail, pastOf } from '../rail.ts'
import { heldIn } from './credential.ts'
import { createX402Rail } from './rail.ts'

const PAYEE = '0x00000000000000000000000000000000000000AA'
const PAYER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const NETWORK = 'eip155:84532'
const ASSET = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const NONCE = `0x${'Ab'.repeat(32)}`

const opened = createX402Rail({
  config: {
    payTo: [PAYEE],
    networks: [{ network: NETWORK, dollar: null }],
    facilitatorUrl: 'https://facilitator.example',
    facilitatorHeaders: {},
  },
  rpcUrls: new Map(),
  nowUs: () => 1_800_000_000_000_000,
})
if (!isSet(opened)) throw new Error('the rail is unset')
const rail: PaymentRail = opened

const authorization = {
  from: PAYER.toLowerCase(),
  to: PAYEE,
  value: '50000',
  validAfter: '0',
  validBefore: '1800000100',
  nonce: NONCE,
}
const signature = `0x${'11'.repeat(65)}`
const accepted = { scheme: 'exact', network: NETWORK, asset: ASSET, amount: '50000', payTo: PAYEE }
const v2 = { x402Version: 2, accepted, payload: { signature, authorization } }
const v1 = { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: { signature, authorization } }

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const second = (value: unknown): PaidRequest => paidRequest({ 'payment-signature': encoded(value) })
const identified = (extension: unknown) => ({ 'payment-identifier': extension })
const first = (value: unknown): PaidRequest => paidRequest({ 'x-payment': encoded(value) })

async function read(request: PaidRequest): Promise<Credential> {
  const credential = await rail.read(request)
  if (credential === undefined) throw new Error('no credential')
  return credential
}

describe('a credential', () => {
  test('is the same payment in both versions.', async () => {
    const [one, two] = [await read(first(v1)), await read(second(v2))]
    expect(two).toEqual({ ...one, raw: two.raw })
    expect(two).toMatchObject({
      key: `${NETWORK}:${ASSET}:${PAYER}:${NONCE}`.toLowerCase(),
      network: NETWORK,
      asset: ASSET,
      payer: PAYER,
      payee: PAYEE,
      amount: '50000',
      expiresUs: 1_800_000_100_000_000,
      identifier: null,
    })
  })

  test('keeps the payer’s signed part; all else that a facilitator is told is ours.', async () => {
    const foreign = { url: 'https://elsewhere.example/', description: 'x', mimeType: 'text/plain' }
    const extensions = {
      bazaar: { info: 'poison' },
      'payment-identifier': { info: { required: false, id: 'pay_0123456789abcdef' } },
    }
    const credential = await read(
      second({ ...v2, resource: foreign, extensions, accepted: { ...accepted, extra: { name: 'Other' } } }),
    )
    expect(credential.identifier).toBe('pay_0123456789abcdef')
    const held = heldIn(credential.raw)
    expect(held?.paymentPayload.payload).toMatchObject({ signature, authorization: { nonce: NONCE } })
    expect(held?.paymentRequirements).toMatchObject({ ...accepted, extra: { name: 'USDC', version: '2' } })
    expect(credential.raw).toContain('pay_0123456789abcdef')
    expect(credential.raw).not.toMatch(/poison|elsewhere|Other/)
  })

  test('is the same payment after its network or the whole rail was taken away, with a receipt in its own words.', async () => {
    const config = {
      payTo: [PAYEE],
      networks: [],
      facilitatorUrl: 'https://facilitator.example',
      facilitatorHeaders: {},
    }
    const elsewhere = { ...config, networks: [{ network: 'eip155:8453', dollar: null }] }
    for (const now of [config, elsewhere]) {
      const past = await pastOf(createX402Rail({ config: now, rpcUrls: new Map(), nowUs: () => 0 }))
      for (const [request, header, network] of [
        [first(v1), 'X-PAYMENT-RESPONSE', 'base-sepolia'],
        [second(v2), 'PAYMENT-RESPONSE', NETWORK],
      ] as const) {
        const credential = await read(request)
        expect((await past.read(request, ASSET))?.key).toBe(credential.key)
        const receipt = past.receipt({ ...credential, transaction: '0x1', settledUs: 0 }, request)
        expect(JSON.parse(Buffer.from(receipt[header] ?? '', 'base64').toString())).toMatchObject({ network })
      }
    }
  })

  test('is none when no header came.', async () => {
    expect(await rail.read(paidRequest())).toBeUndefined()
  })

  test('has no identifier where none is given, as in what a client repeats of our demand.', async () => {
    for (const extensions of [undefined, null, {}, identified({}), identified({ info: { required: false } })])
      expect((await read(second({ ...v2, extensions }))).identifier).toBeNull()
  })

  test.each([
    ['not base64', paidRequest({ 'payment-signature': '{"x402Version":2}' })],
    ['empty', paidRequest({ 'x-payment': '' })],
    ['not JSON', paidRequest({ 'x-payment': Buffer.from('hello').toString('base64') })],
    ['not UTF-8', paidRequest({ 'x-payment': Buffer.from([0x22, 0xff, 0x22]).toString('base64') })],
    ['far too long', paidRequest({ 'x-payment': 'A'.repeat(20_000) })],
    ['of the other version', first(v2)],
    ['of the other version', second(v1)],
    ['of a version to come', second({ ...v2, x402Version: 3 })],
    ['without a payload', second({ ...v2, payload: undefined })],
    ['with a permit', second({ ...v2, payload: { signature, permit2Authorization: {} } })],
    [
      'with a short nonce',
      second({ ...v2, payload: { signature, authorization: { ...authorization, nonce: '0x01' } } }),
    ],
    [
      'with an amount below zero',
      second({ ...v2, payload: { signature, authorization: { ...authorization, value: '-1' } } }),
    ],
    [
      'with a number too large',
      second({ ...v2, payload: { signature, authorization: { ...authorization, value: String(2n ** 256n) } } }),
    ],
    ['with a short identifier', second({ ...v2, extensions: identified({ info: { id: 'short' } }) })],
    ['with a number as identifier', second({ ...v2, extensions: identified({ info: { id: 1234567890123456 } }) })],
    ['with no text as identifier', second({ ...v2, extensions: identified({ info: { id: null } }) })],
    ['with an identifier in another place', second({ ...v2, extensions: identified('pay_0123456789abcdef') })],
    ['with a transaction that is none', first({ ...v1, network: 'solana', payload: { transaction: 'AAAA' } })],
  ])('is refused as malformed when it is %s.', async (_, request) => {
    const problem = await rail.read(request).catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({ slug: 'malformed-payment', status: 400, more: { charged: false } })
  })

  test('of any JSON is read or refused with a problem, and never fails otherwise.', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({
        x402Version: fc.constant(2),
        accepted: fc.oneof(fc.constant(accepted), fc.jsonValue()),
        payload: fc.jsonValue(),
      }),
      fc.record({
        x402Version: fc.constant(1),
        scheme: fc.constant('exact'),
        network: fc.constantFrom('base', 'solana', 'toString'),
        payload: fc.jsonValue(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (json, isSecond) => {
        const outcome = await rail.read(isSecond ? second(json) : first(json)).catch((error: unknown) => error)
        expect(outcome).toBeInstanceOf(Problem)
        expect(outcome).toMatchObject({ more: { charged: false } })
      }),
    )
  })

  test('has one key however its letters are written.', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }), async (upper) => {
        const letters = [...NONCE.slice(2)].map((letter, at) =>
          upper[at] ? letter.toUpperCase() : letter.toLowerCase(),
        )
        const nonce = `0x${letters.join('')}`
        const from = upper[0] ? `0x${PAYER.slice(2).toUpperCase()}` : PAYER
        const credential = await read(
          second({ ...v2, payload: { signature, authorization: { ...authorization, nonce, from } } }),
        )
        expect(credential.key).toBe((await read(first(v1))).key)
        expect(credential.payer).toBe(PAYER)
      }),
      { numRuns: 20 },
    )
  })
})
