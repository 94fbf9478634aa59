import { generateKeyPairSync, sign } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { text58 } from './base58.ts'
import { checkPostDocument, checkReviewDocument } from './check-writing.ts'
import { postMessage, reviewMessage, textDigest } from './signed-lines.ts'

const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const FIELDS = {
  url: 'https://api.seller.example/v1/weather',
  method: 'GET',
  rail: 'x402',
  rating: 4,
  text: 'As described.',
  payment: { network: 'base', transaction: '0xabc' },
} as const
const signedAt = '2026-11-14T12:34:56Z'
const message = reviewMessage({ ...FIELDS, signedAt })

async function reviewDocument() {
  return {
    ...FIELDS,
    untrusted: true,
    wallet: account.address,
    signature: await account.signMessage({ message }),
    signed_at: signedAt,
    text_sha256: textDigest(FIELDS.text),
    message,
  }
}

describe('a review is verified from its JSON alone', () => {
  it('when its wallet signed exactly its fields', async () => {
    const document = await reviewDocument()
    const { ok, findings } = checkReviewDocument(document)
    expect(ok).toBe(true)
    expect(findings).toContain(message)
    expect(findings.at(-1)).toBe('The payment is on chain and not looked at here: 0xabc on base.')
    // What the server says the lines are is not needed.
    expect(checkReviewDocument({ ...document, message: undefined, text_sha256: undefined }).ok).toBe(true)
  })

  it.each([
    ['another text', { text: 'Better.' }],
    ['another text with a matching digest', { text: 'Better.', text_sha256: textDigest('Better.') }],
    ['another rating', { rating: 5 }],
    ['another address', { url: 'https://api.other.example/v1/weather' }],
    ['another payment', { payment: null }],
    ['another wallet', { wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
    ['other lines than its fields', { message: message.replace('x402', 'mpp') }],
    ['a wallet that is none', { wallet: 'me' }],
    ['no signature', { signature: null }],
    ['a rating that is a text', { rating: '4' }],
  ])('and not with %s', async (_, change) => {
    const { message: lines, text_sha256: digest, ...document } = await reviewDocument()
    for (const more of [{ message: lines, text_sha256: digest }, {}]) {
      expect(checkReviewDocument({ ...document, ...more, ...change }).ok).toBe(false)
    }
  })

  it('of a Solana wallet too', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const wallet = text58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const document = {
      ...FIELDS,
      wallet,
      signed_at: signedAt,
      signature: text58(sign(null, Buffer.from(message), privateKey)),
    }
    expect(checkReviewDocument(document).ok).toBe(true)
    expect(checkReviewDocument({ ...document, rating: 1 }).ok).toBe(false)
  })

  it('by the digest when its text is hidden', async () => {
    const hidden = { ...(await reviewDocument()), text: '', hidden: { at: signedAt, reason: 'unlawful' } }
    const { ok, findings } = checkReviewDocument(hidden)
    expect([ok, findings[0]]).toEqual([true, 'The text is hidden: only its digest is checked.'])
    expect(findings).toContain(message)
    expect(checkReviewDocument({ ...hidden, text_sha256: textDigest('other') }).ok).toBe(false)
    expect(checkReviewDocument({ ...hidden, text_sha256: undefined }).ok).toBe(false)
    expect(checkReviewDocument({ ...hidden, rating: 5 }).ok).toBe(false)
    expect(checkReviewDocument({ ...hidden, hidden: null }).ok).toBe(false)
  })

  it('says so when only a chain could tell', async () => {
    const { findings } = checkReviewDocument({ ...(await reviewDocument()), signature: '0x1234' })
    expect(findings.at(-1)).toMatch(/smart wallet/)
  })
})

describe('a post is verified from its JSON alone', () => {
  const post = { host: 'api.seller.example', text: 'Is it metered?', hidden: null }
  const postDocument = async () => ({
    ...post,
    wallet: account.address,
    signed_at: signedAt,
    signature: await account.signMessage({ message: postMessage({ ...post, signedAt }) }),
    text_sha256: textDigest(post.text),
  })

  it('when its wallet signed exactly its fields', async () => {
    expect(checkPostDocument(await postDocument()).ok).toBe(true)
    expect(checkPostDocument({ ...(await postDocument()), host: 'other.example' }).ok).toBe(false)
    expect(checkPostDocument({ ...(await postDocument()), text: 'Other' }).ok).toBe(false)
    expect(checkPostDocument({}).ok).toBe(false)
  })

  it('by the digest when its text is hidden', async () => {
    const hidden = { ...(await postDocument()), text: '', hidden: { at: signedAt, reason: 'unlawful' } }
    expect(checkPostDocument(hidden)).toMatchObject({
      ok: true,
      findings: [
        'The text is hidden: only its digest is checked.',
        expect.any(String),
        expect.any(String),
        expect.any(String),
      ],
    })
    expect(checkPostDocument({ ...hidden, text_sha256: textDigest('other') }).ok).toBe(false)
  })
})
