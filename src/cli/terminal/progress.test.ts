import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longProgressOn, progressLine, progressOn } from './progress.ts'

describe('progress', () => {
  it('draws a bar with counts, speed and time left', () => {
    expect(progressLine('saving', 250_000, 1_000_000, 5)).toBe(
      'saving  ██████░░░░░░░░░░░░░░░░░░  25%  250,000 of 1,000,000  50,000/s  15 s left',
    )
  })

  it('counts without a bar while the total is unknown', () => {
    expect(progressLine('checking', 2000, null, 1)).toBe('checking  2,000  2,000/s')
  })

  it('always draws a bar of one width', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e9), (done, total) => {
        expect(/[█░]+/.exec(progressLine('x', done, total, 3))?.[0]).toHaveLength(24)
      }),
    )
  })

  it('stays silent when nobody watches', () => {
    const written: string[] = []
    const progress = progressOn({ write: (text) => written.push(text) })
    progress.update('saving', 1, 2)
    progress.end()
    expect(written).toEqual([])
  })

  it('says a line now and then of long work that nobody watches', () => {
    const written: string[] = []
    let now = 0
    const progress = longProgressOn({ write: (text) => written.push(text) }, () => now)
    for (now = 0; now <= 25_000; now += 100) progress.update(['probing', now, null], () => `${now} done`)
    progress.end()
    expect(written).toEqual(['10000 done\n', '20000 done\n'])
  })

  it('draws at most ten times a second and cleans up after itself', () => {
    const written: string[] = []
    let now = 0
    const progress = progressOn({ isTTY: true, columns: 200, write: (text) => written.push(text) }, () => now)
    for (now = 0; now < 1000; now += 10) progress.update('saving', now, 2000)
    progress.end()
    expect(written.length).toBe(11)
    expect(written.at(-1)).toBe('\r\u001b[K')
  })
})
