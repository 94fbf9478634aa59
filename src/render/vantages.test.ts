import { describe, expect, it } from 'vitest'
import { nowLine } from '../domain/now/now.ts'
import type { Sight } from '../domain/now/sights.ts'
import { probeLine } from '../domain/probe.ts'
import type { EventView } from '../views/events/events-view.ts'
import { now as nowSchema } from '../wire/api/now.ts'
import { eventText, eventTitle } from './event-words.ts'
import { hostPage } from './html/pages/host.tsx'
import { probeListPage } from './html/pages/host-lists.tsx'
import { nowJson } from './json/now.ts'
import { hostMarkdown } from './markdown/host.ts'
import { probeListMarkdown } from './markdown/host-lists.ts'
import { HOST, hostView, NOON_US, probe, route, SITE } from './testing/sample-views.ts'

const sight = (vantage: string, more: Partial<Sight> = {}): Sight => ({
  ...{ vantage, entries: 3, atUs: NOON_US, sinceUs: NOON_US, httpStatus: 402, shield: null, ...more },
})
const SIGHTS = [sight(''), sight('ap-1', { httpStatus: 403, shield: 'cloudflare' }), sight('eu-1')]
const NOW = {
  ...{ httpStatus: 402, sinceUs: NOON_US, last402Us: NOON_US, checkedUs: NOON_US, asked: null },
  sights: SIGHTS,
}
const SAID = 'requested payment from eu-1; refused from ap-1 since 2026-11-14 12:34 (HTTP 403, Cloudflare)'
const entry = { ...probe(403), vantage: 'ap-1', shield: 'cloudflare' as const }
const VIEW = { ...hostView([route('/v1/x', { probes: [entry], now: NOW })]) }
const SEEN = { ...VIEW, now: { ...NOW, method: 'GET' as const, address: `https://${HOST}/v1/x`, routes: 1, of: 1 } }

describe('what each vantage sees', () => {
  it('stands beside what is true now, in lines and members of its own', () => {
    const json = nowJson(NOW)
    expect(nowSchema.parse(json)).toEqual(json)
    expect(json.line).toBe(nowLine(NOW))
    expect(json.vantages).toMatchObject({
      line: SAID,
      seen: [
        { vantage: 'ap-1', seen: 'blocked', result: 'failed', http_status: 403, shield: 'cloudflare', entries: 3 },
        { vantage: 'eu-1', seen: '402-correct', result: '402-correct', shield: null },
      ],
    })
    const markdown = hostMarkdown(SITE, SEEN, { cards: false }).split('\n')
    expect(markdown.filter((line) => line === `By vantage: ${SAID}`)).toHaveLength(2)
    const page = hostPage(SITE, SEEN, { cards: false, cursor: null })
    expect(page).toContain(`<p class="now"><a href="/probing#vantages">By vantage</a>: ${SAID}</p>`)
    expect(page).toContain('; refused from ap-1</td>')
  })

  it('is nothing where nobody says from where', () => {
    const { sights: _sights, ...plain } = NOW
    const members = Object.keys(JSON.parse(JSON.stringify(nowJson(plain))))
    expect(members).toEqual(['result', 'since', 'http_status', 'checked', 'last_402', 'line'])
    const view = { ...SEEN, now: { ...SEEN.now, sights: [] }, routes: [route('/v1/x', { now: plain })] }
    for (const text of [
      hostMarkdown(SITE, view, { cards: false }),
      hostPage(SITE, view, { cards: false, cursor: null }),
    ])
      expect(text).not.toContain('By vantage')
  })

  it('tells that it is blocked and not dead, with the class of the status', () => {
    const blocked = { ...NOW, httpStatus: 403, sights: [] }
    expect(nowJson(blocked)).toMatchObject({
      result: 'failed',
      line: 'Failing since 2026-11-14 12:34 (HTTP 403); last requested payment 2026-11-14 12:34',
      blocked: 'Blocked, not dead: the host answers and turns this directory away (HTTP 403).',
    })
    expect(nowJson({ ...blocked, httpStatus: 500 }).blocked).toBeUndefined()
  })

  it('is said below the exact line of an entry', () => {
    const lines = hostMarkdown(SITE, SEEN, { cards: false }).split('\n')
    const at = lines.indexOf(probeLine(entry))
    expect(lines[at + 1]).toBe('  from ap-1, stopped by Cloudflare')
    const listed = { ...entry, method: 'GET' as const, rail: 'x402' as const, address: `https://${HOST}/v1/x` }
    const shown = {
      host: HOST,
      page: { items: [listed], total: 1, next: null },
      nowUs: NOON_US,
      query: {},
      cursor: null,
    }
    const text = `${probeLine(entry)}\n  GET https://${HOST}/v1/x, x402, from ap-1, stopped by Cloudflare`
    expect(probeListMarkdown(SITE, shown)).toContain(text)
    expect(probeListPage(SITE, shown)).toContain(text)
  })

  it('is told to followers', () => {
    const event: EventView = {
      ...{ id: '1', number: 1, kind: 'vantage_changed', atUs: NOON_US, savedUs: NOON_US, host: HOST, route: null },
      data: { vantage: 'ap-1', from: '402-correct', to: 'blocked', line: SAID },
    }
    expect(eventTitle(event)).toBe(`Seen differently from another place: ${HOST}`)
    expect(eventText(event)).toBe(`From ap-1: 402-correct → blocked\nNow: ${SAID}`)
    const changed = { ...event, kind: 'class_changed', data: { from: '402-correct', to: 'failed', vantage: 'eu-1' } }
    expect(eventText(changed)).toBe('Newest probe result: 402-correct → failed, from eu-1')
  })
})
