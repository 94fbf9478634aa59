import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { METHODS, RAILS } from '../../domain/route.ts'
import { HOST_SORTS } from '../../views/host/hosts-view.ts'
import { parsePostBody } from '../bodies/post-body.ts'
import { parseReviewBody } from '../bodies/review-body.ts'
import { HOST_SORTS as DOCUMENTED_SORTS } from './lists.ts'
import { postRequest } from './post.ts'
import { reviewRequest } from './review.ts'

const takes = (parse: () => unknown): boolean => {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

const maybe = <T>(value: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown> = fc.constantFrom(undefined, null, 7, '')) =>
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: odd })

const wallet = fc.constantFrom(`0x${'1'.repeat(40)}`, '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp5eykt4UsFv8P', 'nobody')
const signedAt = fc.constantFrom('2026-11-14T12:34:56Z', '2026-11-14T12:34:56.1Z', 'now')

const anyReview = fc.record(
  {
    url: maybe(fc.constantFrom('https://api.example.com/v1/x', 'ftp://x', 'https://api.example.com/#f')),
    method: maybe(fc.constantFrom(...METHODS, 'HEAD')),
    rail: maybe(fc.constantFrom(...RAILS, 'l402')),
    rating: maybe(fc.integer({ min: 0, max: 6 })),
    text: maybe(fc.constantFrom('fine', 'two\nlines', 'x'.repeat(4000), 'bad\u0000')),
    wallet: maybe(wallet),
    signature: maybe(fc.constantFrom('0x11', 'x'.repeat(15_001))),
    signed_at: maybe(signedAt),
    payment: maybe(fc.constantFrom({ network: 'base', transaction: '0xab' }, { network: 'base' }, { other: 1 })),
    more: fc.constant(1),
  },
  { requiredKeys: ['url', 'method', 'rail', 'rating', 'text'] },
)

describe('the bodies that the document describes', () => {
  it('are refused by the server whenever the schema refuses them, but for the form of signed_at', () => {
    fc.assert(
      fc.property(anyReview, (body) => {
        // The server looks at the form of signed_at when it checks the signature.
        const written = 'signed_at' in body && typeof body.signed_at === 'string' ? '2026-11-14T12:34:56Z' : undefined
        const known = reviewRequest.safeParse(written === undefined ? body : { ...body, signed_at: written }).success
        if (takes(() => parseReviewBody(body, []))) expect(known).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('describe every post that the server reads', () => {
    const anyPost = fc.record(
      {
        text: maybe(fc.constantFrom('fine', '')),
        wallet: maybe(wallet),
        signature: maybe(fc.constantFrom('0x11', ' ')),
        signed_at: maybe(signedAt),
        more: fc.constant(1),
      },
      { requiredKeys: ['text'] },
    )
    fc.assert(
      fc.property(anyPost, (body) => {
        if (takes(() => parsePostBody(body))) expect(postRequest.safeParse(body).success).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('sort by the words that the server knows', () => {
    expect(DOCUMENTED_SORTS).toEqual(HOST_SORTS)
  })
})
