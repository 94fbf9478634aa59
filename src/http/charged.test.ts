import { describe, expect, it } from 'vitest'
import { problem } from '../domain/problem-kinds.ts'
import { hasCredential, withCharged } from './charged.ts'

const POST = { method: 'POST', target: '/v1/thread/api.example.com', hasCredential: true }
const chargedOf = (paying: typeof POST, unexpected = false, more = {}) =>
  withCharged(paying, problem('internal', 'It failed.', { more }), unexpected).more.charged

describe('whether money moved', () => {
  it('is said by every problem of a paid endpoint', () => {
    const targets = [
      '/v1/thread/api.example.com',
      '/mpp/v1/thread/api.example.com:8443',
      '/v1/thread/api.example.com?x=1',
      'http://tollbook.example/mpp/v1/thread/api.example.com',
    ]
    expect(targets.map((target) => chargedOf({ ...POST, target }))).toEqual([false, false, false, false])
    expect(chargedOf({ ...POST, method: 'GET', target: '/mpp/v1/thread/a.example' })).toBe(false)
  })

  it('is not spoken of where nothing is paid', () => {
    expect(chargedOf({ ...POST, method: 'GET' })).toBeUndefined()
    expect(chargedOf({ ...POST, target: '/v1/reviews' })).toBeUndefined()
    expect(chargedOf({ ...POST, target: '/v1/thread/a.example/message' })).toBeUndefined()
  })

  it('is unknown after an unexpected failure with a credential, and only then', () => {
    expect(chargedOf(POST, true)).toBe('pending')
    expect(chargedOf({ ...POST, hasCredential: false }, true)).toBe(false)
  })

  it('says to send the very same again, after the wait where there is one', () => {
    const hintOf = (headers: Record<string, string>) =>
      withCharged(POST, problem('rate-limited', 'Too often.', { headers }), true).hint
    expect(hintOf({})).toMatch(/^Send the very same request again: /)
    expect(hintOf({ 'Retry-After': '40' })).toMatch(/^Wait 40 s and send the very same request again: /)
  })

  it('is left as the problem itself says it', () => {
    expect(chargedOf(POST, true, { charged: true })).toBe(true)
  })

  it('is looked for in the headers of every rail', () => {
    expect(hasCredential(['Host', 'X-PAYMENT'])).toBe(true)
    expect(hasCredential(['Payment-Signature'])).toBe(true)
    expect(hasCredential(['Authorization'])).toBe(true)
    expect(hasCredential(['Host', 'Accept'])).toBe(false)
  })
})
