import { describe, expect, it } from 'vitest'
import {
  countingOf,
  isPending,
  LEVEL_MEANINGS,
  LEVELS,
  pendingReason,
  REVIEWS_HEADING,
  signedReviewId,
} from './review.ts'
import { EMPTY_THREAD } from './thread.ts'

describe('the words of reviews and threads', () => {
  it('stand as specified', () => {
    expect(LEVELS.map((level) => `${level}: ${LEVEL_MEANINGS[level]}`)).toEqual([
      'Verified buyer: A valid signature and a matching public payment support the review.',
      'Signed: A valid wallet signature supports the review, but no matching payment does.',
      'Unsigned: No wallet signature supports the review.',
    ])
    expect(REVIEWS_HEADING).toBe('Reviews for this route')
    expect(EMPTY_THREAD).toBe('No thread posts exist.')
  })
})

describe('a review', () => {
  it('counts unless it is excluded or superseded, and says why it does not', () => {
    expect(countingOf({ excluded: null, superseded: false })).toBe('counted')
    expect(countingOf({ excluded: null, superseded: true })).toBe('superseded')
    expect(countingOf({ excluded: 'founder', superseded: true })).toBe('founder')
  })

  it('has one id for one wallet and message, in whatever case the wallet is written', () => {
    const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    expect(signedReviewId(wallet, 'm')).toBe(signedReviewId(wallet.toLowerCase(), 'm'))
    expect(signedReviewId(wallet, 'm')).toMatch(/^[0-9a-f]{32}$/)
    expect(signedReviewId(wallet, 'm')).not.toBe(signedReviewId(wallet, 'n'))
    expect(signedReviewId(wallet, 'm')).not.toBe(signedReviewId(wallet.replace('f3', 'f4'), 'm'))
  })

  it('is told by its reason to be still looked into', () => {
    expect(isPending(pendingReason('the node does not answer'))).toBe(true)
    expect(isPending('the node does not answer')).toBe(false)
    expect(isPending(null)).toBe(false)
  })
})
