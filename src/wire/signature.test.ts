import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { type Hex, hashMessage, keccak256, recoverMessageAddress, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign as signHash } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { METHODS, RAILS } from '../domain/route.ts'
import { textFault } from '../domain/words/text.ts'
import { bytes58, text58 } from './base58.ts'
import { isEd25519Valid } from './ed25519.ts'
import { checkSignature } from './signature.ts'
import { postMessage, type ReviewLines, reviewMessage } from './signed-lines.ts'

/** Random messages for every kind of tampering; 1000 in the long run. */
const RUNS = Number(process.env.TAMPER_RUNS ?? 25)

const HOST = 'api.seller.example'
const key = generatePrivateKey()
const account = privateKeyToAccount(key)
const stranger = privateKeyToAccount(generatePrivateKey())
const solana = generateKeyPairSync('ed25519')
const rawKey = (publicKey: KeyObject): Uint8Array => publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const solanaWallet = text58(rawKey(solana.publicKey))

const ORDER = secp256k1.Point.Fn.ORDER
const ED_ORDER = ed25519.Point.Fn.ORDER
const hex32 = (value: bigint): string => value.toString(16).padStart(64, '0')
const r = (signature: string): string => signature.slice(2, 66)
const s = (signature: string): string => signature.slice(66, 130)
const v = (signature: string): string => signature.slice(130)
const joined = (rHex: string, sHex: string, vHex: string): string => `0x${rHex}${sHex}${vHex}`
const highS = (signature: string): string => hex32(ORDER - BigInt(`0x${s(signature)}`))
const otherV = (signature: string): string => (v(signature) === '1b' ? '1c' : '1b')
const bytesOf = (signature: string): Buffer => Buffer.from(signature.slice(2), 'hex')

function flipped(signature: string, from: number, to: number, at: number): string {
  const bytes = bytesOf(signature)
  const bit = from * 8 + (at % ((to - from) * 8))
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return `0x${bytes.toString('hex')}`
}

interface Signed {
  readonly lines: ReviewLines
  readonly message: string
  readonly signature: string
  /** Any number, for whatever a tampering chooses by chance. */
  readonly chance: number
}
interface Sent {
  readonly wallet?: string
  readonly message?: string
  readonly signature?: string
}
type Tampering = (signed: Signed) => Sent | Promise<Sent>

const withLines =
  (change: (lines: ReviewLines) => Partial<ReviewLines>): Tampering =>
  ({ lines }) => ({ message: reviewMessage({ ...lines, ...change(lines) }) })
const withMessage =
  (change: (message: string) => string): Tampering =>
  ({ message }) => ({ message: change(message) })
const withSignature =
  (change: (signature: string, chance: number) => string): Tampering =>
  ({ signature, chance }) => ({ signature: change(signature, chance) })
const signedAs =
  (made: (signed: Signed) => Promise<string> | string): Tampering =>
  async (signed) => ({ signature: await made(signed) })

/** Across hosts, fields and purposes: the message is not the one that was signed. */
const OTHER_MESSAGES: Readonly<Record<string, Tampering>> = {
  'another host': withLines(({ url }) => ({ url: url.replace(HOST, 'api.other.example') })),
  'a host in upper case': withLines(({ url }) => ({ url: url.replace(HOST, HOST.toUpperCase()) })),
  'a host with a trailing dot': withLines(({ url }) => ({ url: url.replace(HOST, `${HOST}.`) })),
  'a host with its default port': withLines(({ url }) => ({ url: url.replace(HOST, `${HOST}:443`) })),
  'another scheme': withLines(({ url }) => ({ url: url.replace('https:', 'http:') })),
  'a longer path': withLines(({ url }) => ({ url: `${url}/` })),
  'a fragment': withLines(({ url }) => ({ url: `${url}#x` })),
  'a percent-encoded letter': withLines(({ url }) => ({ url: url.replace('/v1', '/%761') })),
  'another method': withLines(({ method }) => ({ method: method === 'GET' ? 'POST' : 'GET' })),
  'another rail': withLines(({ rail }) => ({ rail: rail === 'x402' ? 'mpp' : 'x402' })),
  'another rating': withLines(({ rating }) => ({ rating: (rating % 5) + 1 })),
  'a longer text': withLines(({ text }) => ({ text: `${text} ` })),
  'a text with a byte order mark': withLines(({ text }) => ({ text: `\ufeff${text}` })),
  'an equal-looking text': withLines(({ text }) => ({ text: `${text}\u200b` })),
  'a decomposed text': withLines(({ text }) => ({ text: `${text}é`.normalize('NFD') })),
  'another payment': withLines(({ payment }) => ({
    payment: payment === null ? { network: 'base', transaction: '0x1' } : null,
  })),
  'another network of the payment': withLines(() => ({ payment: { network: 'eip155:8453', transaction: 'z' } })),
  'another signing time': withLines(() => ({ signedAt: '2026-11-14T12:34:57Z' })),
  'a signing time with a fraction': withLines(({ signedAt }) => ({ signedAt: signedAt.replace('Z', '.0Z') })),
  'the lines of a post': ({ lines }) => ({
    message: postMessage({ host: HOST, text: lines.text, signedAt: lines.signedAt }),
  }),
  'the first word of a post': withMessage((message) => message.replace(/^review/, 'thread')),
  'a line feed at the end': withMessage((message) => `${message}\n`),
  'a line feed at the start': withMessage((message) => `\n${message}`),
  'carriage returns': withMessage((message) => message.replaceAll('\n', '\r\n')),
  'spaces for line feeds': withMessage((message) => message.replaceAll('\n', ' ')),
  'a missing line': withMessage((message) => message.split('\n').slice(0, 6).join('\n')),
  'an added line': withMessage((message) => `${message}\nnone`),
  'swapped lines': withMessage((message) => message.split('\n').toReversed().join('\n')),
  'a digest in upper case': withMessage((message) =>
    message.replace(/^[0-9a-f]{64}$/m, (digest) => `${digest}A`.toUpperCase()),
  ),
  'nothing at all': () => ({ message: '' }),
}

/** Across encodings and keys: the message is the right one, the signature is not the wallet's canonical one over it. */
const OTHER_SIGNATURES: Readonly<Record<string, Tampering>> = {
  'a flipped bit of r': withSignature((text, at) => flipped(text, 0, 32, at)),
  'a flipped bit of s': withSignature((text, at) => flipped(text, 32, 64, at)),
  'a flipped bit of v': withSignature((text, at) => flipped(text, 64, 65, at)),
  'the mirrored s with the mirrored v': withSignature((text) => joined(r(text), highS(text), otherV(text))),
  'the mirrored s alone': withSignature((text) => joined(r(text), highS(text), v(text))),
  'the mirrored v alone': withSignature((text) => joined(r(text), s(text), otherV(text))),
  'v as 0 or 1': withSignature((text) => joined(r(text), s(text), v(text) === '1b' ? '00' : '01')),
  'v of a chain': withSignature((text) => joined(r(text), s(text), v(text) === '1b' ? '25' : '26')),
  'v of a smart wallet': withSignature((text) => joined(r(text), s(text), v(text) === '1b' ? '1f' : '20')),
  'the short form of EIP-2098': withSignature((text) => {
    const short = bytesOf(text).subarray(0, 64)
    if (v(text) === '1c') short.writeUInt8(short.readUInt8(32) | 0x80, 32)
    return `0x${short.toString('hex')}`
  }),
  'digits in upper case': withSignature((text) => `0x${text.slice(2).toUpperCase()}`),
  'a prefix in upper case': withSignature((text) => `0X${text.slice(2)}`),
  'no prefix': withSignature((text) => text.slice(2)),
  'two prefixes': withSignature((text) => `0x${text}`),
  'a byte less': withSignature((text) => text.slice(0, -2)),
  'half a byte less': withSignature((text) => text.slice(0, -1)),
  'a zero more at the end': withSignature((text) => `${text}00`),
  'a zero more at the start': withSignature((text) => `0x00${text.slice(2)}`),
  'a space around it': withSignature((text) => ` ${text}`),
  'a line feed after it': withSignature((text) => `${text}\n`),
  'r and s swapped': withSignature((text) => joined(s(text), r(text), v(text))),
  'r of nothing': withSignature((text) => joined('0'.repeat(64), s(text), v(text))),
  's of nothing': withSignature((text) => joined(r(text), '0'.repeat(64), v(text))),
  'nothing but zeros': withSignature((text) => joined('0'.repeat(64), '0'.repeat(64), v(text))),
  'r beyond the order': withSignature((text) => joined(hex32(ORDER), s(text), v(text))),
  's beyond the order': withSignature((text) => joined(r(text), 'f'.repeat(64), v(text))),
  'base64 instead of hex': withSignature((text) => bytesOf(text).toString('base64')),
  'base58 instead of hex': withSignature((text) => text58(bytesOf(text))),
  'an empty text': () => ({ signature: '' }),
  'a wrapping for a wallet to be deployed': withSignature((text) =>
    serializeErc6492Signature({ address: stranger.address, data: '0x', signature: `0x${text.slice(2)}` }),
  ),
  'the signature of another wallet': signedAs(({ message }) => stranger.signMessage({ message })),
  'the name of another wallet': () => ({ wallet: stranger.address }),
  'the name of no wallet': () => ({ wallet: '0x1234' }),
  'a Solana wallet for an EVM signature': () => ({ wallet: solanaWallet }),
  'a signature without the prefix of EIP-191': signedAs(({ message }) =>
    signHash({ hash: keccak256(Buffer.from(message)), privateKey: key, to: 'hex' }),
  ),
  'a signature over the SHA-256 of the lines': signedAs(({ message }) =>
    signHash({ hash: `0x${createHash('sha256').update(message).digest('hex')}`, privateKey: key, to: 'hex' }),
  ),
  'a signature over the hash as text': signedAs(({ message }) =>
    account.signMessage({ message: hashMessage(message) }),
  ),
  'a signature over the hash as bytes': signedAs(({ message }) =>
    account.signMessage({ message: { raw: hashMessage(message) } }),
  ),
  'a signature over UTF-16': signedAs(({ message }) =>
    account.signMessage({ message: { raw: Buffer.from(message, 'utf16le') } }),
  ),
  'a signature over typed data': signedAs(({ message }) =>
    account.signTypedData({
      domain: { name: 'review' },
      types: { Review: [{ name: 'lines', type: 'string' }] },
      primaryType: 'Review',
      message: { lines: message },
    }),
  ),
  'the signature of an earlier review': signedAs(({ lines }) =>
    account.signMessage({ message: reviewMessage({ ...lines, rating: (lines.rating % 5) + 1 }) }),
  ),
}

const solanaSigned = (message: string): string => text58(sign(null, Buffer.from(message), solana.privateKey))
const torsion = ED25519_TORSION_SUBGROUP.map((point) => Buffer.from(point, 'hex'))
const withBytes =
  (change: (bytes: Buffer, chance: number) => Uint8Array): Tampering =>
  ({ signature, chance }) => ({ signature: text58(change(Buffer.from(bytes58(signature) ?? []), chance)) })
const little = (value: bigint): Buffer => Buffer.from(hex32(value), 'hex').reverse()

const OTHER_SOLANA: Readonly<Record<string, Tampering>> = {
  'a flipped bit': withBytes((bytes, chance) => {
    bytes.writeUInt8(bytes.readUInt8(chance % 64) ^ (1 << (chance % 8)), chance % 64)
    return bytes
  }),
  'S beyond the order': withBytes((bytes) => {
    const S = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`)
    return Buffer.concat([bytes.subarray(0, 32), little(S + ED_ORDER)])
  }),
  'R of small order': withBytes((bytes, chance) =>
    Buffer.concat([torsion[chance % torsion.length] ?? Buffer.alloc(32), bytes.subarray(32)]),
  ),
  'nothing but zeros': withBytes(() => Buffer.alloc(64)),
  'a byte less': withBytes((bytes) => bytes.subarray(1)),
  'a byte more': withBytes((bytes) => Buffer.concat([bytes, Buffer.from([0])])),
  'hex instead of base58': ({ signature }) => ({
    signature: `0x${Buffer.from(bytes58(signature) ?? []).toString('hex')}`,
  }),
  'a one more at the start': ({ signature }) => ({ signature: `1${signature}` }),
  'the name of another wallet': () => ({ wallet: text58(rawKey(generateKeyPairSync('ed25519').publicKey)) }),
  'an EVM wallet for a Solana signature': () => ({ wallet: account.address }),
  'a wallet of small order': ({ chance }) => ({
    wallet: text58(torsion[chance % torsion.length] ?? Buffer.alloc(32)),
    signature: text58(Buffer.concat([torsion[0] ?? Buffer.alloc(32), Buffer.alloc(32)])),
  }),
}

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => !textFault(text))
const anyLines: fc.Arbitrary<ReviewLines> = fc.record({
  method: fc.constantFrom(...METHODS),
  url: fc.stringMatching(/^[a-z0-9/?=&._~-]{0,40}$/).map((path) => `https://${HOST}/v1/${path}`),
  rail: fc.constantFrom(...RAILS),
  rating: fc.integer({ min: 1, max: 5 }),
  text: anyText,
  payment: fc.option(fc.record({ network: fc.constant('base'), transaction: fc.stringMatching(/^0x[0-9a-f]{64}$/) })),
  signedAt: fc.constant('2026-11-14T12:34:56Z'),
})

interface Bench {
  readonly wallet: string
  sign(message: string): Promise<string> | string
}
const EVM: Bench = { wallet: account.address, sign: (message) => account.signMessage({ message }) }
const SOLANA: Bench = { wallet: solanaWallet, sign: solanaSigned }

async function acceptedOf(bench: Bench, tampering: Tampering): Promise<unknown[]> {
  const accepted: unknown[] = []
  for (const [index, lines] of fc.sample(anyLines, RUNS).entries()) {
    const message = reviewMessage(lines)
    const signature = await bench.sign(message)
    const honest = { wallet: bench.wallet, message, signature }
    expect(checkSignature(honest.wallet, message, signature)).toBe('valid')
    const sent = { ...honest, ...(await tampering({ lines, message, signature, chance: index * 7919 })) }
    expect(sent).not.toEqual(honest)
    if (checkSignature(sent.wallet, sent.message, sent.signature) === 'valid') accepted.push(sent)
  }
  return accepted
}

describe('a signature is not accepted', { timeout: 10_000 + 100 * RUNS }, () => {
  it.each(Object.entries(OTHER_MESSAGES))('for a review with %s', async (_, tampering) => {
    expect(await acceptedOf(EVM, tampering)).toEqual([])
    expect(await acceptedOf(SOLANA, tampering)).toEqual([])
  })

  it.each(Object.entries(OTHER_SIGNATURES))('as %s', async (_, tampering) => {
    expect(await acceptedOf(EVM, tampering)).toEqual([])
  })

  it.each(Object.entries(OTHER_SOLANA))('of a Solana wallet as %s', async (_, tampering) => {
    expect(await acceptedOf(SOLANA, tampering)).toEqual([])
  })

  it('in at least 40 kinds of tampering', () => {
    const kinds = [OTHER_MESSAGES, OTHER_SIGNATURES, OTHER_SOLANA].map((kind) => Object.keys(kind).length)
    expect(kinds.reduce((sum, n) => sum + n)).toBeGreaterThanOrEqual(40)
  })
})

describe('an honest signature', { timeout: 10_000 + 100 * RUNS }, () => {
  it('is valid here exactly when two other libraries say so', async () => {
    for (const lines of fc.sample(anyLines, RUNS)) {
      const message = reviewMessage(lines)
      const signature = (await account.signMessage({ message })) satisfies Hex
      expect(checkSignature(account.address, message, signature)).toBe('valid')
      expect(await recoverMessageAddress({ message, signature })).toBe(account.address)
      const rs = bytesOf(signature).subarray(0, 64)
      const digest = Buffer.from(hashMessage(message).slice(2), 'hex')
      const publicKey = Buffer.from(account.publicKey.slice(2), 'hex')
      expect(secp256k1.verify(rs, digest, publicKey, { prehash: false, lowS: true })).toBe(true)
    }
  })

  it('of a Solana wallet is valid here exactly when another library says so', () => {
    for (const lines of fc.sample(anyLines, RUNS)) {
      const message = reviewMessage(lines)
      const bytes = Buffer.from(bytes58(solanaSigned(message)) ?? [])
      expect(checkSignature(solanaWallet, message, text58(bytes))).toBe('valid')
      expect(ed25519.verify(bytes, Buffer.from(message), rawKey(solana.publicKey), { zip215: false })).toBe(true)
    }
  })

  it('is not canonical in its other writings, and may be that of a smart wallet when nobody known made it', async () => {
    const message = 'review'
    const signature = await account.signMessage({ message })
    const say = (text: string): string => checkSignature(account.address, message, text)
    expect(say(`0x${signature.slice(2).toUpperCase()}`)).toBe('not-canonical')
    expect(say(joined(r(signature), highS(signature), otherV(signature)))).toBe('not-canonical')
    expect(say(joined(r(signature), s(signature), v(signature) === '1b' ? '00' : '01'))).toBe('not-canonical')
    expect(say(await stranger.signMessage({ message }))).toBe('needs-chain')
    expect(say('0x1234')).toBe('needs-chain')
    expect(say(`${signature}${'6492'.repeat(16)}`)).toBe('needs-chain')
    expect(say('signed')).toBe('invalid')
    expect(say(`0x${'00'.repeat(6001)}`)).toBe('invalid')
  })

  it('never throws, whatever is sent as one', () => {
    const anything = fc.oneof(fc.string(), fc.stringMatching(/^0x([0-9a-f]{2}){60,70}$/))
    const wallets = fc.oneof(fc.constantFrom(account.address, solanaWallet), fc.string())
    fc.assert(
      fc.property(wallets, fc.string({ unit: 'binary' }), anything, (wallet, message, signature) => {
        expect(checkSignature(wallet, message, signature)).not.toBe('valid')
      }),
    )
  })
})

describe('ed25519', () => {
  it('takes no key of small order, with which one signature fits every message', () => {
    expect(torsion).toHaveLength(8)
    const R = torsion[0] ?? Buffer.alloc(32)
    for (const point of torsion) {
      expect(isEd25519Valid(point, Buffer.from('any'), Buffer.concat([R, Buffer.alloc(32)]))).toBe(false)
    }
  })
})
