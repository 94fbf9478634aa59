import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLAIM_US, isSettledAgain, PAYMENT_STATES, pauseUs, postIdOf, requestHash } from './payment.ts'

describe('postIdOf', () => {
  it('is short, fit for an address, and one per key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(postIdOf(a)).toMatch(/^p[a-z2-7]{26}$/)
        expect(postIdOf(a) === postIdOf(b)).toBe(a === b)
      }),
    )
  })

  it('never changes: published posts live under it', () => {
    expect(postIdOf('eip155:8453:0xasset:0xpayer:0x01')).toBe('pksasex6jqynkf7bpwgt2bi4rar')
  })
})

describe('requestHash', () => {
  it('tells rails, hosts and bodies apart', () => {
    const hashes = [
      requestHash('x402', 'a.example', '00'),
      requestHash('mpp', 'a.example', '00'),
      requestHash('x402', 'b.example', '00'),
      requestHash('x402', 'a.example', '01'),
    ]
    expect(new Set(hashes).size).toBe(4)
    expect(requestHash('x402', 'a.example', '00')).toBe(hashes[0])
  })
})

describe('pauseUs', () => {
  it('grows, and keeps a lost claim, the longest pause and a poll within a minute', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PAYMENT_STATES), fc.nat(), (state, looks) => {
        expect(pauseUs(state, looks)).toBeGreaterThan(0)
        expect(pauseUs(state, looks + 1)).toBeGreaterThanOrEqual(pauseUs(state, looks))
        expect(pauseUs('pending', looks) + CLAIM_US).toBeLessThan(60_000_000)
        expect(pauseUs('refused', looks)).toBeLessThan(60_000_000)
      }),
    )
  })
})

describe('isSettledAgain', () => {
  const payment = { state: 'pending', attempts: 3, expiresUs: 100 } as const
  it('is for what stays unfound and could still be paid, and never for what was refused', () => {
    expect(isSettledAgain(payment, 99)).toBe(true)
    expect(isSettledAgain(payment, 100)).toBe(false)
    expect(isSettledAgain({ ...payment, attempts: 2 }, 99)).toBe(false)
    expect(isSettledAgain({ ...payment, state: 'refused' }, 99)).toBe(false)
  })
})
