import { generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import { createServer } from 'node:http'
import { createReceiptEIP712, createReceiptJWS } from '@x402/extensions/offer-receipt'
import fc from 'fast-check'
import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { text58 } from '../../wire/base58.ts'
import { type ReceiptOf, verifyReceipt } from './receipt.ts'

const SELLER = privateKeyToAccount(generatePrivateKey())
const STRANGER = privateKeyToAccount(generatePrivateKey())
const BUYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const URL = 'https://api.example.com/v1/forecast?days=3'
const TRANSACTION = `0x${'ab'.repeat(32)}`
const NETWORK = 'eip155:8453'

const about = { resourceUrl: URL, payer: BUYER, network: NETWORK, transaction: TRANSACTION }
const expected: ReceiptOf = {
  payees: [{ network: 'base', payee: SELLER.address.toLowerCase() }],
  url: URL,
  payer: BUYER,
  transaction: TRANSACTION,
}
const signed = async (over: Partial<typeof about> = {}, signer = SELLER) => ({
  ...(await createReceiptEIP712({ ...about, ...over }, (data) => signer.signTypedData(data))),
})

describe('a receipt in EIP-712 form', () => {
  it('is that of the payee who signed it for the reviewed address', async () => {
    expect(await verifyReceipt(await signed(), expected)).toEqual({ ok: true, signer: SELLER.address })
  })

  it('may leave the transaction out, and may write addresses and hashes in either case', async () => {
    const { transaction: _, ...silent } = about
    const receipt = await createReceiptEIP712(silent, (data) => SELLER.signTypedData(data))
    expect((await verifyReceipt({ ...receipt }, expected)).ok).toBe(true)
    const loud = await signed({ payer: BUYER.toLowerCase(), transaction: `0x${'AB'.repeat(32)}` })
    expect((await verifyReceipt(loud, expected)).ok).toBe(true)
    expect((await verifyReceipt(await signed({ resourceUrl: URL.replace('api', 'API') }), expected)).ok).toBe(true)
  })

  it.each([
    ['signed by a stranger', () => signed({}, STRANGER), /never seen to be paid/],
    ['for another path', () => signed({ resourceUrl: 'https://api.example.com/v1/other' }), /another address/],
    ['for another host', () => signed({ resourceUrl: URL.replace('api', 'apj') }), /another address/],
    ['for another query', () => signed({ resourceUrl: URL.replace('3', '4') }), /another address/],
    ['for no address', () => signed({ resourceUrl: '' }), /another address/],
    ['for another payer', () => signed({ payer: STRANGER.address }), /another payer/],
    ['for another transaction', () => signed({ transaction: `0x${'cd'.repeat(32)}` }), /another transaction/],
  ])('is refused %s', async (_, make, reason) => {
    expect(await verifyReceipt(await make(), expected)).toEqual({ ok: false, reason: expect.stringMatching(reason) })
  })

  it('is that of this very payment: its network, and issued when it was made', async () => {
    const nowUs = Date.now() * 1000
    const paid = { ...expected, network: 'base', paidUs: nowUs }
    expect((await verifyReceipt(await signed(), paid)).ok).toBe(true)
    expect(await verifyReceipt(await signed({ network: 'eip155:1' }), paid)).toMatchObject({
      reason: 'it names another network',
    })
    for (const hours of [-2, 2])
      expect(await verifyReceipt(await signed(), { ...paid, paidUs: nowUs + hours * 3_600_000_000 })).toMatchObject({
        ok: false,
        reason: expect.stringContaining('another time'),
      })
  })

  it('is refused after any change to what was signed', async () => {
    const receipt = await signed()
    const changes = [
      { payload: { ...receipt.payload, network: 'eip155:1' } },
      { payload: { ...receipt.payload, issuedAt: receipt.payload.issuedAt + 1 } },
      { payload: { ...receipt.payload, version: 2 } },
      { payload: { ...receipt.payload, payer: STRANGER.address } },
      { signature: `${receipt.signature.slice(0, -4)}ff1b` },
      { signature: '0x' },
      { format: 'jws' },
    ]
    for (const change of changes) expect((await verifyReceipt({ ...receipt, ...change }, expected)).ok).toBe(false)
  })
})

describe('a receipt in JWS form', () => {
  const ED25519_KEY = Buffer.from([0xed, 0x01])

  async function seller() {
    const pair = await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
    if (!('publicKey' in pair)) throw new Error('not a pair of keys')
    const raw = Buffer.from(await webcrypto.subtle.exportKey('raw', pair.publicKey))
    const sign = (kid: string) => ({
      kid,
      format: 'jws' as const,
      algorithm: 'EdDSA',
      sign: async (bytes: Uint8Array) =>
        Buffer.from(await webcrypto.subtle.sign('Ed25519', pair.privateKey, bytes)).toString('base64url'),
    })
    const kid = `did:key:z${text58(Buffer.concat([ED25519_KEY, raw]))}`
    return { wallet: text58(raw), kid, signer: sign(kid), sign }
  }

  it('is that of the Solana wallet whose key signed it', async () => {
    const { wallet, signer } = await seller()
    const receipt = { ...(await createReceiptJWS(about, signer)) }
    const payees = [{ network: 'solana', payee: wallet }]
    expect(await verifyReceipt(receipt, { ...expected, payees })).toEqual({ ok: true, signer: wallet })
    expect(await verifyReceipt(receipt, expected)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/never seen/),
    })
    const other = { ...expected, payees, url: 'https://api.example.com/' }
    expect(await verifyReceipt(receipt, other)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/another address/),
    })
  })

  it('is that of the EVM wallet whose key signed it', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const jwk = publicKey.export({ format: 'jwk' })
    const kid = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const { d = '' } = privateKey.export({ format: 'jwk' })
    const { address } = privateKeyToAccount(toHex(Buffer.from(d, 'base64url'), { size: 32 }))
    const receipt = await createReceiptJWS(about, {
      kid,
      format: 'jws',
      algorithm: 'ES256K',
      sign: async (bytes) =>
        sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
    })
    const payees = [{ network: 'base', payee: address }]
    expect(await verifyReceipt({ ...receipt }, { ...expected, payees })).toEqual({ ok: true, signer: address })
    expect((await verifyReceipt({ ...receipt }, expected)).ok).toBe(false)
  })

  it('is refused when it names the key of another wallet', async () => {
    const [honest, forger] = [await seller(), await seller()]
    const receipt = { ...(await createReceiptJWS(about, forger.sign(honest.kid))) }
    const payees = [{ network: 'solana', payee: honest.wallet }]
    expect((await verifyReceipt(receipt, { ...expected, payees })).ok).toBe(false)
  })

  it('never makes the directory fetch a key that the receipt names', async () => {
    let calls = 0
    const server = createServer((_, response) => {
      calls += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { wallet, sign } = await seller()
    const payees = [{ network: 'solana', payee: wallet }]
    for (const kid of [`did:web:localhost%3A${port}`, `did:web:127.0.0.1%3A${port}#key-1`, 'did:key:zz', 'key-1', '']) {
      const receipt = { ...(await createReceiptJWS(about, sign(kid))) }
      expect((await verifyReceipt(receipt, { ...expected, payees })).ok).toBe(false)
    }
    expect(calls).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('anything else', () => {
  it('is refused and never throws', async () => {
    const field = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('eip712', 'jws', 'a.b.c', `0x${'11'.repeat(65)}`),
    )
    const anything = fc.record({ format: field, payload: field, signature: field }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(anything, async (receipt) => {
        expect((await verifyReceipt(receipt, expected)).ok).toBe(false)
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
    )
  })
})
