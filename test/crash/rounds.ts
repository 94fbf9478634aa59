import { expect } from 'vitest'
import type { Findings } from './examine.ts'
import { isAppended } from './units.ts'

/** A store under a program that is killed once a round. */
export interface Series {
  /** Units that the program said were kept. */
  readonly said: ReadonlySet<number>
  round(): Promise<Findings>
  /** Lines of the store that are of no unit. */
  stray(): Promise<readonly string[]>
  /** What else must hold at its end. */
  end?(): Promise<void>
}

/** Nothing acknowledged is lost, nothing is there twice, and every counter is right after each kill. */
export async function expectNothingLost(series: () => Promise<Series>, count: number, rounds: number): Promise<void> {
  const kept: number[] = []
  for (let s = 0; s < count; s++) {
    const { said, round, stray, end } = await series()
    for (let n = 1; n <= rounds; n++) {
      const { unsaid, ...faults } = await round()
      expect(faults, `kill ${s * rounds + n}`).toEqual({ lost: [], uneven: [], differences: [] })
      // Each does one transaction at a time: at most one of each was kept and not said so.
      expect(unsaid.filter(isAppended).length).toBeLessThanOrEqual(1)
      expect(unsaid.length).toBeLessThanOrEqual(2)
    }
    expect(await stray()).toEqual([])
    await end?.()
    kept.push(...said)
  }
  expect(kept.filter(isAppended).length).toBeGreaterThan(count * rounds)
  expect(kept.filter((unit) => !isAppended(unit)).length).toBeGreaterThan(count)
}

/** The control: both kinds of data are lost within so many rounds. */
export async function expectBothLost({ round }: Series, rounds: number): Promise<void> {
  const lost = { appended: 0, imported: 0 }
  for (let n = 1; n <= rounds && (lost.appended === 0 || lost.imported === 0); n++) {
    for (const unit of (await round()).lost) lost[isAppended(unit) ? 'appended' : 'imported']++
  }
  expect(lost.appended).toBeGreaterThan(0)
  expect(lost.imported).toBeGreaterThan(0)
}
