import { describe, expect, it } from 'vitest'
import { requestIds } from './request-id.ts'

describe('a request id', () => {
  it("is the caller's own when it is harmless", () => {
    const next = requestIds(() => 'start')
    expect(next('Trace-1.2_3')).toBe('Trace-1.2_3')
    expect(next('a'.repeat(64))).toBe('a'.repeat(64))
  })

  it.each(['', 'a b', 'a\nb', '"', 'a'.repeat(65), 'é'])('is ours when the caller sends %j', (given) => {
    const next = requestIds(() => 'start')
    expect([next(given), next(given), next(undefined)]).toEqual(['start-1', 'start-2', 'start-3'])
  })
})
