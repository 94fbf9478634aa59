import { describe, expect, it } from 'vitest'
import { postMessage, reviewMessage, textDigest } from './signed-lines.ts'

const DIGEST = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'

describe('the lines that are signed', () => {
  it('hash the exact bytes of the text', () => {
    expect(textDigest('hello')).toBe(DIGEST)
    expect(textDigest('é')).not.toBe(textDigest('e\u0301'))
  })

  it('are four for a post', () => {
    expect(postMessage({ host: 'api.example.com', text: 'hello', signedAt: '2026-11-14T12:34:56Z' })).toBe(
      `thread\napi.example.com\n${DIGEST}\n2026-11-14T12:34:56Z`,
    )
  })

  it('are seven for a review, with or without a payment, one more with an outcome and one with a directory', () => {
    const review = {
      method: 'GET',
      url: 'https://api.example.com/v1/x',
      rail: 'x402',
      rating: 5,
      text: 'hello',
      signedAt: '2026-11-14T12:34:56Z',
    } as const
    const lines = (payment: string) =>
      `review\nGET https://api.example.com/v1/x\nx402\n5\n${DIGEST}\n${payment}\n2026-11-14T12:34:56Z`
    expect(reviewMessage({ ...review, payment: null })).toBe(lines('none'))
    expect(reviewMessage({ ...review, payment: { network: 'eip155:8453', transaction: '0xab' } })).toBe(
      lines('eip155:8453 0xab'),
    )
    expect(reviewMessage({ ...review, payment: null, outcome: null, directory: null })).toBe(lines('none'))
    const outcome = { httpStatus: 500, latencyMs: 812, contentSha256: null }
    expect(reviewMessage({ ...review, payment: null, outcome })).toBe(lines('none\noutcome 500 812 none'))
    expect(reviewMessage({ ...review, payment: null, outcome, directory: 'tollbook.example' })).toBe(
      lines('none\noutcome 500 812 none\ndirectory tollbook.example'),
    )
  })
})
