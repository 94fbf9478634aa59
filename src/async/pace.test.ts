import { describe, expect, it } from 'vitest'
import { Pace, TooManyWaiting } from './pace.ts'

/** A clock that only work and rests move. */
function paced(share: number, mostWaiting: number) {
  let nowMs = 0
  const rests: number[] = []
  const rest = async (ms: number): Promise<void> => {
    rests.push(ms)
    nowMs += ms
  }
  const pace = new Pace(share, mostWaiting, () => nowMs, rest)
  const work = (ms: number) =>
    pace.run(async () => {
      nowMs += ms
      return ms
    })
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { work, rests, pass, now: () => nowMs }
}

describe('costly work', () => {
  it('begins at once when nobody was there for a while', async () => {
    const { work, rests, pass } = paced(0.2, 10)
    await work(20)
    pass(1000)
    await work(20)
    expect(rests).toEqual([])
  })

  it('takes its share of the time and no more, however many come at once', async () => {
    const { work, now } = paced(0.2, 100)
    await Promise.all(Array.from({ length: 50 }, () => work(20)))
    expect(now()).toBe(50 * 20 + 49 * 80)
  })

  it('is refused when too many wait, and goes on after a failure', async () => {
    const { work } = paced(0.2, 2)
    const outcomes = await Promise.allSettled([work(1), work(1), work(1)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(outcomes[2]).toMatchObject({ reason: expect.any(TooManyWaiting) })
    const pace = new Pace(0.5, 5)
    await expect(pace.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await pace.run(async () => 'yes')).toBe('yes')
  })
})
