import { describe, expect, it } from 'vitest'
import { ClockWatch, refuseWrongClock } from './clock-watch.ts'
import type { Egress, HeaderPair } from './egress.ts'

const MINUTE_MS = 60_000
const NOON_MS = Date.UTC(2026, 10, 14, 12)

/** A machine whose clock is off by so much, among others that say what time it is, or a cache's, or nothing. */
function machine(...others: readonly (number | null)[]) {
  const at = { offMs: 0, passedMs: 0, asked: 0, isAway: false }
  const told: string[] = []
  const egress: Egress = {
    fetch: async ({ url }) => {
      at.asked += 1
      const lateMs = others[Number(new URL(url).pathname.slice(1))] ?? null
      const date = new Date(NOON_MS + at.passedMs - (lateMs ?? 0)).toUTCString()
      const headers: HeaderPair[] = lateMs === null || at.isAway ? [] : [['Date', date]]
      const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
      const seen = { latencyMs: 1, timings, remoteAddress: '192.0.2.1' }
      return { ok: true, status: 200, headers, body: new Uint8Array(), coding: null, bodyTruncated: false, ...seen }
    },
  }
  const clock = new ClockWatch({
    ...{ egress, addresses: others.map((_, n) => `https://check.example/${n}`) },
    nowUs: () => (NOON_MS + at.passedMs + at.offMs) * 1000,
    nowMs: () => at.passedMs,
    onWrong: (seconds) => void told.push(`wrong by ${seconds} s`),
    onRight: () => void told.push('right'),
  })
  return { at, told, clock, egress }
}

describe('a clock', () => {
  it('that is wrong stops what cannot be undone', async () => {
    const { at, egress } = machine(0)
    const fold = (aheadMs: number): Promise<void> =>
      refuseWrongClock(egress, ['https://check.example/0'], NOON_MS + aheadMs, 'nothing was folded')
    await expect(fold(365 * 24 * 60 * MINUTE_MS)).rejects.toThrow('not that of others; nothing was folded')
    await fold(MINUTE_MS)
    at.isAway = true
    await fold(365 * 24 * 60 * MINUTE_MS)
  })

  it('is right while one of others is near it, and nobody is asked again for an hour', async () => {
    const { at, clock, told } = machine(null, 3 * 60 * MINUTE_MS, 0)
    at.offMs = 5 * MINUTE_MS
    expect(clock.isDoubtful).toBe(true)
    expect(await clock.isRight()).toBe(true)
    at.passedMs = 59 * MINUTE_MS
    expect([await clock.isRight(), at.asked]).toEqual([true, 3])
    at.passedMs = 60 * MINUTE_MS
    expect([clock.isDoubtful, await clock.isRight(), at.asked, told]).toEqual([true, true, 6, []])
  })

  it('is wrong where all others say so, at the beginning or when it is set, and right when it is set again', async () => {
    const { at, clock, told } = machine(0, 0)
    expect(await clock.isRight()).toBe(true)
    at.offMs = 24 * 60 * MINUTE_MS
    expect([clock.isDoubtful, await clock.isRight(), clock.isWrong, clock.isDoubtful]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(await clock.isRight()).toBe(false)
    at.offMs = 0
    expect([clock.isDoubtful, await clock.isRight(), clock.isWrong]).toEqual([true, true, false])
    expect([told, at.asked]).toEqual([['wrong by 86400 s', 'right'], 6])
    const late = machine(0)
    late.at.offMs = -11 * MINUTE_MS
    expect(await late.clock.isRight()).toBe(false)
    late.at.offMs = -11 * MINUTE_MS + 30_000
    late.at.passedMs = MINUTE_MS
    expect([await late.clock.isRight(), late.at.asked]).toEqual([false, 2])
  })

  it('is not doubted where nobody says what time it is, and not for long', async () => {
    const { at, clock } = machine(0)
    at.isAway = true
    at.offMs = 24 * 60 * MINUTE_MS
    expect([await clock.isRight(), clock.isDoubtful]).toEqual([true, false])
    at.passedMs = MINUTE_MS
    at.isAway = false
    expect([clock.isDoubtful, await clock.isRight()]).toEqual([true, false])
    const alone = machine()
    expect([alone.clock.isDoubtful, await alone.clock.isRight(), alone.at.asked]).toEqual([false, true, 0])
  })
})
