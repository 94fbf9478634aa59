import { describe, expect, it } from 'vitest'
import type { HostNow } from '../../views/host/now-view.ts'
import type { RecentResults } from '../../views/recent-results.ts'
import { badgeJson, badgeMessage, badgeSvg } from './badge.ts'

const recent = (answers: number, correct: number, failed = 0, unreachable = 0): RecentResults => ({
  host: 'api.weather.example',
  days: 30,
  results: { answers, '402-correct': correct, failed, unreachable },
  now: null,
})

const failing: HostNow = {
  ...{ httpStatus: 500, sinceUs: Date.UTC(2026, 10, 13, 2, 8) * 1000, checkedUs: Date.UTC(2026, 10, 14) * 1000 },
  ...{ last402Us: null, asked: null, method: 'GET', address: 'https://api.weather.example/x', routes: 1, of: 1 },
}

/** Of white text, as WCAG has it. */
function contrast(colour: string): number {
  const light = [0, 2, 4].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const [r = 0, g = 0, b = 0] = light
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}

describe('a badge', () => {
  it('says the share of one class and its window in words', () => {
    expect(badgeMessage(recent(2, 96, 1, 1))).toBe('402-correct 96% · 30 days')
    expect(badgeMessage(recent(0, 0))).toBe('no probes · 30 days')
    expect(badgeMessage(recent(9, 0))).toBe('402-correct 0% · 30 days')
  })

  it('says no more days than there are, and first since when it fails', () => {
    expect(badgeMessage({ ...recent(0, 3), days: 1 })).toBe('402-correct 100% · today')
    expect(badgeMessage({ ...recent(0, 3), days: 9 })).toBe('402-correct 100% · 9 days')
    expect(badgeMessage({ ...recent(0, 90, 10), now: failing })).toBe(
      'failing since 2026-11-13 · 402-correct 90% · 30 days',
    )
    expect(badgeMessage({ ...recent(0, 90, 10), now: { ...failing, httpStatus: null } })).toMatch(/^unreachable since/)
    expect(badgeMessage({ ...recent(0, 90, 10), now: { ...failing, of: 3 } })).toMatch(/^1 of 3 routes failing since/)
  })

  it('says that its seller retired it, in the colour of nothing, however it answers', () => {
    const past = { became: 'retired', checkedUs: failing.checkedUs } as const
    const gone = { ...recent(0, 0, 20), past }
    expect(badgeMessage(gone)).toBe('retired by its seller · 402-correct 0% · 30 days')
    expect(badgeJson(gone).color).toBe(badgeJson(recent(0, 0)).color)
    expect(badgeMessage({ ...gone, past: { ...past, became: 'unlisted' } })).toMatch(/^no longer listed ·/)
    expect(badgeJson({ ...gone, past: { ...past, became: 'unkept' } })).toEqual(badgeJson(recent(0, 0, 20)))
  })

  it('has another colour for all, some, none and nothing, and carries white text on each', () => {
    const colours = [recent(0, 9), recent(0, 5, 5), recent(9, 0), recent(0, 0), { ...recent(0, 9), now: failing }].map(
      (one) => badgeJson(one).color,
    )
    expect(new Set(colours.slice(0, 4)).size).toBe(4)
    expect(colours[4]).toBe(colours[2])
    for (const colour of colours) expect(contrast(colour)).toBeGreaterThan(4.5)
  })

  it('has a title that counts every class, and calls nothing from outside', () => {
    const svg = badgeSvg(recent(1, 2, 3, 4))
    expect(svg).toContain(
      '<title>tollbook: 402-correct 20% · 30 days. api.weather.example: 1 answers · 2 402-correct · 3 failed · 4 unreachable in 30 days (UTC)</title>',
    )
    expect(svg).toContain('role="img" aria-label="tollbook: 402-correct 20%')
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|<script|<style|@import/)
  })

  it('says the same to shields.io', () => {
    expect(badgeJson(recent(0, 5))).toMatchObject({
      schemaVersion: 1,
      label: 'tollbook',
      message: '402-correct 100% · 30 days',
    })
  })
})
