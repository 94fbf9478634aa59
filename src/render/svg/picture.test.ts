import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostRow } from '../testing/sample-views.ts'
import { hostPicture } from './picture.ts'

const { now, results } = hostRow('api.weather.example')

describe('the picture of a host', () => {
  it('says who, what is true now and how often payment was requested, and loads nothing', () => {
    const svg = hostPicture({ host: 'api.weather.example', days: 30, results, now })
    expect(svg).toContain('>api.weather.example</text>')
    expect(svg).toContain('>Requested payment 2026-11-14 12:34 (3 of 3 routes)</text>')
    const far = now && { ...now, routes: 1, of: 1, asked: { price: 1000, network: 'solana:5eykt4UsFv8P8NJdTREpY1vz' } }
    expect(hostPicture({ host: 'api.weather.example', days: 30, results, now: far })).toContain(
      '>Requested payment 2026-11-14 12:34, 0.001000 on solana:5eykt4UsFv…</text>',
    )
    expect(svg).toContain('aria-label="api.weather.example: Requested payment 2026-11-14 12:34 (3 of 3 routes)"')
    expect(svg).toContain('requested payment in 93.8 % of 256 probes in 30 days')
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|<script|<style|@import|href/)
  })

  it('gives each class its share of the bar, and draws none of what nobody saw', () => {
    const count = fc.nat(1000)
    fc.assert(
      fc.property(count, count, count, count, (answers, correct, failed, unreachable) => {
        const svg = hostPicture({
          host: 'a.example',
          days: 1,
          results: { answers, '402-correct': correct, failed, unreachable },
          now: null,
        })
        const widths = Array.from(svg.matchAll(/y="430" width="([\d.]+)"/g), ([, width]) => Number(width))
        const all = [answers, correct, failed, unreachable]
        expect(widths).toHaveLength(all.filter((n) => n > 0).length)
        const total = widths.reduce((sum, width) => sum + width, 0)
        if (all.some((n) => n > 0)) expect(total).toBeCloseTo(1040, 0)
      }),
    )
  })
})
