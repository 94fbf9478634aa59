import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../domain/problem.ts'
import { parseReviewBody } from './review-body.ts'

const UNSIGNED = {
  url: 'https://api.seller.example/v1/weather?city=Oslo',
  method: 'GET',
  rail: 'x402',
  rating: 4,
  text: 'Fast and as described.',
}
const WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const SIGNED = { ...UNSIGNED, wallet: WALLET, signature: '0x12', signed_at: '2026-11-14T12:34:56Z' }
const PAYMENT = { network: 'base', transaction: `0x${'a'.repeat(64)}` }

const faultOf = (body: unknown): { slug: string; field: unknown; detail: string } | undefined => {
  try {
    parseReviewBody(body, [])
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { slug: error.slug, field: error.more.field, detail: error.detail }
  }
}
const without = (field: string): unknown =>
  Object.fromEntries(Object.entries(SIGNED).filter(([name]) => name !== field))

describe('the body of a review', () => {
  it('is the five fields, or those with a signature, a payment and a receipt', () => {
    expect(parseReviewBody(UNSIGNED, [])).toEqual({
      ...UNSIGNED,
      address: { scheme: 'https', host: 'api.seller.example', path: '/v1/weather?city=Oslo' },
      signed: null,
      outcome: null,
      receipt: null,
    })
    const receipt = { format: 'eip712' }
    const full = parseReviewBody({ ...SIGNED, wallet: WALLET.toLowerCase(), payment: PAYMENT, receipt }, [])
    expect(full.signed).toEqual({
      wallet: WALLET,
      signature: '0x12',
      signedAt: '2026-11-14T12:34:56Z',
      payment: PAYMENT,
      directory: null,
    })
    expect(full.receipt).toEqual(receipt)
  })

  it.each(['url', 'method', 'rail', 'rating', 'text'])('is refused without its field %s', (field) => {
    expect(faultOf(without(field))).toEqual({
      slug: 'invalid-field',
      field,
      detail: `The field ${field} is missing.`,
    })
  })

  it.each([
    ['an unknown field', { ...UNSIGNED, level: 'Verified buyer' }, 'level'],
    ['an unknown field of the payment', { ...SIGNED, payment: { ...PAYMENT, amount: 1 } }, 'payment.amount'],
    ['a rating of 0', { ...UNSIGNED, rating: 0 }, 'rating'],
    ['a rating of 6', { ...UNSIGNED, rating: 6 }, 'rating'],
    ['a rating of 4.5', { ...UNSIGNED, rating: 4.5 }, 'rating'],
    ['a rating as text', { ...UNSIGNED, rating: '4' }, 'rating'],
    ['a method in lower case', { ...UNSIGNED, method: 'get' }, 'method'],
    ['another rail', { ...UNSIGNED, rail: 'l402' }, 'rail'],
    ['a text that is none', { ...UNSIGNED, text: ['a'] }, 'text'],
    ['an address without scheme', { ...UNSIGNED, url: 'api.seller.example/v1' }, 'url'],
    ['an address of this machine', { ...UNSIGNED, url: 'http://127.0.0.1/v1' }, 'url'],
    ['an address with a fragment', { ...UNSIGNED, url: `${UNSIGNED.url}#\nnone` }, 'url'],
    ['an address of two lines', { ...UNSIGNED, url: `${UNSIGNED.url}\nx402` }, 'url'],
    ['an address with a user', { ...UNSIGNED, url: 'https://me@api.seller.example/v1' }, 'url'],
    ['no signature', without('signature'), 'signature'],
    ['no signing time', without('signed_at'), 'signed_at'],
    ['no wallet', without('wallet'), 'wallet'],
    ['a wallet with a wrong checksum', { ...SIGNED, wallet: WALLET.replace('f39F', 'f39f') }, 'wallet'],
    ['a wallet that is none', { ...SIGNED, wallet: 'me' }, 'wallet'],
    ['a wallet of null', { ...SIGNED, wallet: null }, 'wallet'],
    ['a payment without a signature', { ...UNSIGNED, payment: PAYMENT }, 'payment'],
    ['a payment without a transaction', { ...SIGNED, payment: { network: 'base' } }, 'payment.transaction'],
    ['a network of two words', { ...SIGNED, payment: { ...PAYMENT, network: 'base none' } }, 'payment.network'],
    ['a transaction of two lines', { ...SIGNED, payment: { ...PAYMENT, transaction: 'a\nb' } }, 'payment.transaction'],
    ['a receipt without a payment', { ...SIGNED, receipt: {} }, 'receipt'],
    ['a receipt that is a text', { ...SIGNED, payment: PAYMENT, receipt: 'jws' }, 'receipt'],
  ])('is refused with %s', (_, body, field) => {
    expect(faultOf(body)).toMatchObject({ slug: 'invalid-field', field })
  })

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(4001)],
    ['half a character', 'x\ud800'],
    ['a control character', 'x\u0007'],
    ['a change of direction', 'x\u202e'],
    ['an invisible tag', 'x\u{e0041}'],
    ['private use', 'x\ue000'],
  ])('is refused with a text that is %s', (_, text) => {
    expect(faultOf({ ...UNSIGNED, text })).toMatchObject({ slug: 'invalid-text', field: 'text' })
  })

  it.each([null, 1, 'x', [], true])('is refused when it is %j', (body) => {
    expect(faultOf(body)).toMatchObject({ slug: 'invalid-field' })
  })

  it('is read or refused with a problem, whatever it is', () => {
    const fields = fc.record(
      Object.fromEntries(Object.keys({ ...SIGNED, payment: 1, receipt: 1 }).map((name) => [name, fc.jsonValue()])),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fields), (body) => {
        const fault = faultOf(body)
        if (fault !== undefined) expect(['invalid-field', 'invalid-text']).toContain(fault.slug)
      }),
    )
  })

  it('takes 4,000 characters beyond the basic plane', () => {
    expect(parseReviewBody({ ...UNSIGNED, text: '𐀀'.repeat(4000) }, []).text).toHaveLength(8000)
  })
})
