import { describe, expect, it } from 'vitest'
import { Crowds } from './crowds.ts'

function crowds(gapMs = 1000) {
  let nowMs = 0
  const told: [string, number][] = []
  const one = new Crowds({ gapMs, nowMs: () => nowMs, onCrowd: (address, names) => told.push([address, names]) })
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { one, pass, told }
}

/** How many of so many names get through at addresses like these within a second, each coming back when it is told to. */
function throughInASecond(names: number, addressOf: (n: number) => string): number {
  const { one, pass } = crowds()
  const dueMs = Array.from({ length: names }, () => 0)
  let through = 0
  for (let ms = 0; ms < 1000; ms += 1) {
    for (const [n, due] of dueMs.entries()) {
      if (due > ms) continue
      const waitMs = one.admit(`n${n}.example`, addressOf(n))
      dueMs[n] = ms + (waitMs === 0 ? 1000 : waitMs)
      if (waitMs > 0) continue
      through += 1
      one.leave(addressOf(n))
    }
    pass(1)
  }
  return through
}

describe('many names', () => {
  it('at one address are called ten times a second at most, and not never', () => {
    const through = throughInASecond(600, () => '203.0.113.7')
    expect(through).toBeGreaterThan(5)
    expect(through).toBeLessThanOrEqual(10)
  })

  it('in one network, IPv4 or IPv6, are called forty times a second at most', () => {
    expect(throughInASecond(600, (n) => `203.0.113.${n % 250}`)).toBeLessThanOrEqual(40)
    expect(throughInASecond(600, (n) => `2001:db8::${n.toString(16)}`)).toBeLessThanOrEqual(40)
  })

  it('elsewhere wait for nobody', () => {
    expect(throughInASecond(200, (n) => `198.51.${n}.1`)).toBe(200)
  })

  it('at one slow address have eight calls under way at most', () => {
    const { one, pass } = crowds()
    let admitted = 0
    for (let n = 0; n < 100; n += 1) {
      if (one.admit(`n${n}.example`, '203.0.113.7') === 0) admitted += 1
      pass(150)
    }
    expect(admitted).toBe(8)
    one.leave('203.0.113.7')
    pass(1000)
    expect(one.admit('next.example', '203.0.113.7')).toBe(0)
  })

  it('at one address are told to the operator, once', () => {
    const { one, told } = crowds()
    for (let n = 0; n < 300; n += 1) one.admit(`n${n}.example`, '203.0.113.7')
    expect(told).toEqual([['203.0.113.7', 50]])
  })

  it('of sellers of one’s own are not kept apart', () => {
    const { one } = crowds(0)
    expect([1, 2, 3].map((n) => one.admit(`n${n}.example`, '127.0.0.1'))).toEqual([0, 0, 0])
  })
})
