import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vantagesHref } from '../../site.ts'
import { SITE } from '../../testing/sample-views.ts'
import { everyText, probingPage } from './probing.tsx'

describe('how often a route is asked', () => {
  it.each([
    [20 / 3600, 'every 20 seconds'],
    [1 / 60, 'every minute'],
    [0.5, 'every 30 minutes'],
    [1, 'every hour'],
    [6, 'every 6 hours'],
    [24, 'every day'],
    [36, 'every 1.5 days'],
  ])('%d hours is %s', (hours, words) => expect(everyText(hours)).toBe(words))

  it('is a short number and a unit, whatever the operator set', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 366 * 86_400 }), (seconds) => {
        expect(everyText(seconds / 3600)).toMatch(/^every (\d{1,3}(\.\d)? )?(second|minute|hour|day)s?$/)
      }),
    )
  })
})

describe('the page on probing', () => {
  it('says what a vantage is where the pages of hosts lead, and what counts where they do not agree', () => {
    const manners = { userAgent: 'Tollbook', everyHours: 6, gapSeconds: 1, methods: ['GET'] }
    const [, part = ''] = probingPage(SITE, manners).split(`<section id="${vantagesHref.split('#')[1]}">`)
    expect(part).toContain('A vantage is a place that a prober looks from')
    expect(part).toContain('down when it is down from every vantage')
    expect(part).toContain('Counts, percentages and latencies are of the entries from all vantages together.')
  })
})
