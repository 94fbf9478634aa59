import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RecentResults } from '../../views/catalogue.ts'
import { badgeJson, badgeMessage, badgeSvg, percentOf } from './badge.ts'

const recent = (answers: number, correct: number, failed = 0, unreachable = 0): RecentResults => ({
  host: 'api.weather.example',
  days: 30,
  results: { answers, '402-correct': correct, failed, unreachable },
})

describe('a badge', () => {
  it('says the share of one class and its window in words', () => {
    expect(badgeMessage(recent(2, 96, 1, 1))).toBe('402-correct 96% · 30 days')
    expect(badgeMessage(recent(0, 0))).toBe('no probes · 30 days')
    expect(badgeMessage(recent(9, 0))).toBe('402-correct 0% · 30 days')
  })

  it('never rounds to all or nothing while that is not so', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000 }), fc.nat({ max: 1_000_000 }), (part, rest) => {
        fc.pre(part + rest > 0)
        const percent = percentOf(part, part + rest)
        expect(percent === 100).toBe(rest === 0)
        expect(percent === 0).toBe(part === 0)
        expect(Math.abs(percent - (100 * part) / (part + rest))).toBeLessThanOrEqual(1)
      }),
    )
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
