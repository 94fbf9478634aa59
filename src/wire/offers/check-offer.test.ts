import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createOfferEIP712, createOfferJWS, type JWSSigner } from '@x402/extensions/offer-receipt'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OfferKey, SignedOffer } from '../../domain/offers/signed-offer.ts'
import { text58 } from '../base58.ts'
import { checkOffer } from './check-offer.ts'
import { readJwk } from './did.ts'
import { MOST_SIGNED_OFFERS, readSignedOffer, readSignedOffers, writtenOffer } from './read-offers.ts'

const URL_OF = 'https://api.example.com/v1/x'
const HOST_KID = 'did:web:api.example.com#key-1'
const SEEN_US = Date.UTC(2026, 10, 14, 12) * 1000
const NOBODY = '0x00000000000000000000000000000000000000aa'

const input = (payTo: string) => ({
  acceptIndex: 0,
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo,
  amount: '10000',
  offerValiditySeconds: 300,
})

/** How a seller of the stock kit signs. */
const jwsSigner = (kid: string, algorithm: string, key: KeyObject): JWSSigner => ({
  kid,
  algorithm,
  format: 'jws',
  sign: async (payload: Uint8Array) =>
    sign(algorithm === 'EdDSA' ? null : 'sha256', payload, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
})

const jwkOf = (key: KeyObject) => {
  const jwk = readJwk({ ...key.export({ format: 'jwk' }) })
  if (jwk === undefined) throw new Error('not a key')
  return jwk
}

const keyOf = (kid: string, key: KeyObject, more: Partial<OfferKey> = {}): OfferKey => ({
  ...{ kid, jwk: jwkOf(key), firstUs: SEEN_US - 1, lastUs: SEEN_US, goneUs: null, ...more },
})

const read = (value: unknown): SignedOffer => {
  const offer = readSignedOffer(value)
  if (offer === undefined) throw new Error('not an offer')
  return offer
}
const check = (offer: SignedOffer, keys: readonly OfferKey[] = [], url = URL_OF, seenUs = SEEN_US) =>
  checkOffer(offer, { url, seenUs, keys })

const wallet = privateKeyToAccount(generatePrivateKey())
const secret = generatePrivateKey()
const pkhWallet = privateKeyToAccount(secret)
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed25519 = generateKeyPairSync('ed25519')
const k1 = secpKey(secret, pkhWallet.publicKey)
const solana = text58(Buffer.from(String(ed25519.publicKey.export({ format: 'jwk' }).x), 'base64url'))

/** The very key of a wallet, as a JWK has it. */
function secpKey(key: string, publicKey: string): KeyObject {
  const part = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  const [x, y] = [publicKey.slice(4, 68), publicKey.slice(68)]
  return createPrivateKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'secp256k1', d: part(key.slice(2)), x: part(x), y: part(y) },
  })
}

/** One of each way in which sellers sign, with the keys that their documents name. */
let honest: readonly { readonly name: string; readonly offer: SignedOffer; readonly keys: readonly OfferKey[] }[]
beforeAll(async () => {
  const jws = (kid: string, alg: string, key: KeyObject, payTo = NOBODY) =>
    createOfferJWS(URL_OF, input(payTo), jwsSigner(kid, alg, key))
  const signed = [
    ['eip712', await createOfferEIP712(URL_OF, input(wallet.address), (data) => wallet.signTypedData(data)), []],
    ['did:web, ES256', await jws(HOST_KID, 'ES256', p256.privateKey), [keyOf(HOST_KID, p256.publicKey)]],
    ['did:web, EdDSA', await jws(HOST_KID, 'EdDSA', ed25519.privateKey), [keyOf(HOST_KID, ed25519.publicKey)]],
    [
      'did:web without a fragment',
      await jws('did:web:api.example.com', 'ES256', p256.privateKey),
      [keyOf(HOST_KID, p256.publicKey)],
    ],
    ['did:pkh, EVM', await jws(`did:pkh:eip155:8453:${pkhWallet.address}`, 'ES256K', k1, pkhWallet.address), []],
    ['did:pkh, Solana', await jws(`did:pkh:solana:x:${solana}`, 'EdDSA', ed25519.privateKey, solana), []],
    [
      'did:jwk',
      await jws(
        `did:jwk:${Buffer.from(JSON.stringify(jwkOf(ed25519.publicKey))).toString('base64url')}`,
        'EdDSA',
        ed25519.privateKey,
        solana,
      ),
      [],
    ],
    [
      'did:key',
      await jws(
        `did:key:z${text58(Buffer.concat([Buffer.from('ed01', 'hex'), Buffer.from(jwkOf(ed25519.publicKey).x, 'base64url')]))}`,
        'EdDSA',
        ed25519.privateKey,
        solana,
      ),
      [],
    ],
  ] as const
  honest = signed.map(([name, offer, keys]) => ({ name, offer: read(offer), keys }))
})

describe('an offer that a seller of the kit signed', () => {
  it('is taken, whichever way it was signed, and written as it was', () => {
    for (const { name, offer, keys } of honest) {
      expect(check(offer, keys).by, name).toBe(name.startsWith('did:web') ? 'host' : 'payee')
      expect(read(writtenOffer(offer))).toEqual(offer)
    }
  })

  it('is for its own address alone: host and path, whatever scheme and query its resource has', () => {
    for (const { offer, keys } of honest) {
      expect(check(offer, keys, 'http://api.example.com/v1/x?city=Oslo').by).not.toBeNull()
      for (const other of [
        'https://api.example.com/v1/y',
        'https://api.example.com/v1/x/',
        'https://other.example/v1/x',
        'https://api.example.com:8443/v1/x',
      ])
        expect(check(offer, keys, other)).toEqual({ by: null, reason: 'it is for another address' })
    }
  })

  it('proves nothing when somebody else is to be paid, or another host names the key', async () => {
    const stolen = await createOfferEIP712(URL_OF, input(NOBODY), (data) => wallet.signTypedData(data))
    expect(check(read(stolen))).toMatchObject({ reason: 'whoever signed it is not the payee that it names' })
    const kid = 'did:web:evil.example#key-1'
    const foreign = await createOfferJWS(URL_OF, input(NOBODY), jwsSigner(kid, 'ES256', p256.privateKey))
    expect(check(read(foreign), [keyOf(kid, p256.publicKey)])).toMatchObject({
      reason: 'its key is that of another host',
    })
    const own = await createOfferJWS(
      URL_OF,
      input(NOBODY),
      jwsSigner(`did:pkh:eip155:1:${pkhWallet.address}`, 'ES256K', k1),
    )
    expect(check(read(own))).toMatchObject({ by: null })
  })
})

describe('a key that was rotated', () => {
  const goneUs = SEEN_US + 1_000_000
  const old = () => keyOf(HOST_KID, p256.publicKey, { goneUs })
  const signedNow = async (key = p256.privateKey, validUntil = 0) => {
    const offer = await createOfferJWS(URL_OF, input(NOBODY), {
      ...jwsSigner(HOST_KID, 'ES256', key),
      sign: async (payload: Uint8Array) => {
        const [head = '', body = ''] = Buffer.from(payload).toString().split('.')
        const terms = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), validUntil }
        backDated = `${head}.${Buffer.from(JSON.stringify(terms)).toString('base64url')}`
        return sign('sha256', Buffer.from(backDated), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
      },
    })
    if (offer.format !== 'jws') throw new Error('not a JWS')
    return read({ format: 'jws', signature: `${backDated}.${offer.signature.split('.')[2]}` })
  }
  let backDated = ''

  it('still verifies what was seen while it was in force', async () => {
    expect(check(await signedNow(), [old()], URL_OF, SEEN_US)).toMatchObject({ by: 'host', kid: HOST_KID })
  })

  it('does not verify what is seen after it was gone, however it is dated', async () => {
    for (const validUntil of [0, SEEN_US / 1e6, SEEN_US / 1e6 + 60, goneUs / 1e6 + 600]) {
      const late = check(await signedNow(p256.privateKey, validUntil), [old()], URL_OF, goneUs)
      expect(late).toMatchObject({ by: null, reason: expect.stringContaining('not in the DID document') })
    }
  })

  it('does not verify what was seen before it came, and leaves its successor its own', async () => {
    const next = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const successor = keyOf(HOST_KID, next.publicKey, { firstUs: goneUs })
    const offer = await signedNow(next.privateKey)
    expect(check(offer, [old(), successor], URL_OF, goneUs)).toMatchObject({ by: 'host' })
    expect(check(offer, [old(), successor], URL_OF, SEEN_US)).toMatchObject({ by: null })
  })
})

type Tamper = (offer: SignedOffer, random: (most: number) => number) => unknown

const TERMS = ['resourceUrl', 'scheme', 'network', 'asset', 'payTo', 'amount', 'validUntil'] as const

/** The terms with one changed, under the signature of the others. */
const withTerms = (offer: SignedOffer, terms: object): unknown => {
  if (offer.format === 'eip712')
    return { format: 'eip712', payload: { version: 1, ...terms }, signature: offer.signature }
  const [head, , mark] = offer.signature.split('.')
  const body = Buffer.from(JSON.stringify({ version: 1, ...terms })).toString('base64url')
  return { format: 'jws', signature: `${head}.${body}.${mark}` }
}
const changed = (text: string, at: number): string => {
  const place = at % text.length
  const other = text[place] === 'a' ? 'b' : 'a'
  return `${text.slice(0, place)}${other}${text.slice(place + 1)}`
}
const otherText: Tamper[] = TERMS.filter((name) => name !== 'validUntil').map(
  (name): Tamper =>
    (offer, random) =>
      withTerms(offer, { ...offer.terms, [name]: changed(offer.terms[name], random(1e6)) }),
)
const longerText: Tamper[] = TERMS.filter((name) => name !== 'validUntil').map(
  (name): Tamper =>
    (offer, random) =>
      withTerms(offer, { ...offer.terms, [name]: `${offer.terms[name]}${random(10)}` }),
)
const missingText: Tamper[] = TERMS.map(
  (name): Tamper =>
    (offer) =>
      withTerms(offer, { ...offer.terms, [name]: undefined }),
)
const otherType: Tamper[] = TERMS.map(
  (name): Tamper =>
    (offer, random) =>
      withTerms(offer, { ...offer.terms, [name]: [offer.terms[name], random(9)] }),
)
const bytesOf = ({ format, signature }: SignedOffer): Buffer =>
  format === 'eip712' ? Buffer.from(signature.slice(2), 'hex') : Buffer.from(signature.split('.')[2] ?? '', 'base64url')
const withBytes = (offer: SignedOffer, bytes: Buffer): unknown =>
  offer.format === 'eip712'
    ? { ...writtenOffer(offer), signature: `0x${bytes.toString('hex')}` }
    : {
        format: 'jws',
        signature: `${offer.signature.slice(0, offer.signature.lastIndexOf('.'))}.${bytes.toString('base64url')}`,
      }
const header = (offer: SignedOffer, more: object): unknown => {
  if (offer.format === 'eip712') return { ...writtenOffer(offer), format: 'jws' }
  const [head = '', body, mark] = offer.signature.split('.')
  const fields = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), ...more }
  return { format: 'jws', signature: `${Buffer.from(JSON.stringify(fields)).toString('base64url')}.${body}.${mark}` }
}

const TAMPERS: readonly Tamper[] = [
  ...otherText,
  ...longerText,
  ...missingText,
  ...otherType,
  (offer, random) => withTerms(offer, { ...offer.terms, validUntil: offer.terms.validUntil + 1 + random(1e6) }),
  (offer, random) => withTerms(offer, { ...offer.terms, validUntil: offer.terms.validUntil - 1 - random(1e6) }),
  (offer, random) =>
    withTerms(offer, { ...offer.terms, amount: String(BigInt(offer.terms.amount) * BigInt(2 + random(99))) }),
  (offer) => withTerms(offer, { ...offer.terms, validUntil: 0 }),
  (offer, random) => {
    const bytes = bytesOf(offer)
    const place = random(bytes.length)
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random(8))
    return withBytes(offer, bytes)
  },
  (offer, random) => withBytes(offer, bytesOf(offer).subarray(0, random(64))),
  (offer, random) => withBytes(offer, Buffer.concat([bytesOf(offer), Buffer.from([random(256)])])),
  (offer) => withBytes(offer, Buffer.alloc(bytesOf(offer).length)),
  (offer, random) => withBytes(offer, Buffer.from(bytesOf(offer).map(() => random(256)))),
  (offer) => ({ ...writtenOffer(offer), format: 'none' }),
  (offer) => ({ ...writtenOffer(offer), signature: writtenOffer(offer).signature.toUpperCase() }),
  (offer) => ({ ...writtenOffer(offer), signature: `${writtenOffer(offer).signature}=` }),
  (offer) => header(offer, { alg: 'none' }),
  (offer) => header(offer, { alg: 'HS256' }),
  (offer, random) => header(offer, { kid: `did:web:other${random(999)}.example#key-1` }),
  (offer, random) => header(offer, { jwk: { n: random(999) } }),
  (offer) => header(offer, { crit: ['b64'], b64: false }),
]

describe('an offer that somebody has tampered with', () => {
  it(`is never taken: ${TAMPERS.length} kinds, each 100 times, whichever way it was signed`, () => {
    expect(TAMPERS.length).toBeGreaterThanOrEqual(40)
    let [tries, accepted] = [0, 0]
    for (const tamper of TAMPERS)
      fc.assert(
        fc.property(fc.nat(), fc.infiniteStream(fc.nat()), (which, numbers) => {
          const one = honest[which % honest.length]
          if (one === undefined) throw new Error('no offer')
          const random = (most: number): number => Number(numbers.next().value) % most
          const offer = readSignedOffer(tamper(one.offer, random))
          tries += 1
          if (offer !== undefined && check(offer, one.keys).by !== null) accepted += 1
          return true
        }),
        { numRuns: 100 },
      )
    expect({ tries, accepted }).toEqual({ tries: TAMPERS.length * 100, accepted: 0 })
  })
})

describe('what strangers send as signed offers', () => {
  it('is read within bounds and never throws, whatever it holds', () => {
    const document = (offers: unknown) => ({ x402Version: 2, extensions: { 'offer-receipt': { info: { offers } } } })
    fc.assert(
      fc.property(fc.anything({ maxDepth: 6 }), (value) => {
        expect(readSignedOffers(document([value, value])).length).toBeLessThanOrEqual(2)
        expect(() => readSignedOffers({ x402Version: 2, extensions: value })).not.toThrow()
      }),
    )
    const [one] = honest
    const many = Array.from({ length: 10_000 }, () => one && writtenOffer(one.offer))
    expect(readSignedOffers(document(many))).toHaveLength(MOST_SIGNED_OFFERS)
    const long = 'x'.repeat(1_000_000)
    expect(readSignedOffer({ format: 'jws', signature: `${long}.${long}.${long}` })).toBeUndefined()
    expect(readSignedOffers({ ...document(many), x402Version: 1 })).toEqual([])
  })
})
