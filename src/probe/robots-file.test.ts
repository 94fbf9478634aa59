import { describe, expect, it } from 'vitest'
import { NOON_US } from '../../test/support/samples.ts'
import type { Scheme } from '../domain/route.ts'
import type { Egress, HeaderPair } from './egress.ts'
import { isFresh, type KnownRobots, refreshRobots } from './robots-file.ts'

interface Answer {
  readonly status?: number
  readonly headers?: readonly HeaderPair[]
  readonly body?: string
}

const HOUR_US = 3_600_000_000
const OURS = 'User-agent: tollbook\nDisallow: /no'

/** Reads the file at noon; what is not among the answers is not there. */
async function refreshed(
  host: string,
  answers: Readonly<Record<string, Answer>>,
  { scheme = 'http', known = {}, calls = 99 }: { scheme?: Scheme; known?: KnownRobots; calls?: number } = {},
) {
  const called: string[] = []
  const egress: Egress = {
    fetch: async ({ url }) => {
      called.push(url)
      const { status = 200, headers = [], body = '' } = answers[url] ?? { status: 404 }
      const timings = { dnsMs: 0, connectMs: 0, tlsMs: null, firstByteMs: 0 }
      const reply = { status, headers, body: Buffer.from(body), coding: null, bodyTruncated: false }
      return { ok: true, latencyMs: 1, timings, remoteAddress: '192.0.2.1', ...reply }
    },
  }
  const isTime = (): boolean => called.length < calls
  return {
    called,
    ...(await refreshRobots(egress, known, { scheme, host }, { nowUs: () => NOON_US, deadlineMs: 1000, isTime })),
  }
}

const to = (location: string): Answer => ({ status: 301, headers: [['Location', location]] })
const rulesIn = (robots: KnownRobots, scheme: Scheme = 'http'): readonly string[] =>
  (robots[scheme]?.rules ?? []).map(({ pattern }) => pattern)

describe('a robots.txt that has moved', () => {
  it.each([
    ['seller.example', '/robots/here', 'http://seller.example/robots/here'],
    ['seller.example', 'https://seller.example/robots.txt', 'https://seller.example/robots.txt'],
    ['seller.example', 'http://seller.example:80/r', 'http://seller.example/r'],
    ['seller.example', 'https://SELLER.example:443/r', 'https://seller.example/r'],
    ['seller.example:8080', '/r', 'http://seller.example:8080/r'],
    ['seller.example:8080', 'https://seller.example:8080/r', 'https://seller.example:8080/r'],
  ])('is read within %s at %s', async (host, location, next) => {
    const first = `http://${host}/robots.txt`
    const { called, robots } = await refreshed(host, { [first]: to(location), [next]: { body: OURS } })
    expect(called).toEqual([first, next])
    expect(rulesIn(robots)).toEqual(['/no'])
  })

  it.each([
    ['seller.example', 'http://seller.example:8080/robots.txt'],
    ['seller.example', 'https://seller.example:8443/robots.txt'],
    ['seller.example', 'http://seller.example:443/robots.txt'],
    ['seller.example', 'https://seller.example:80/robots.txt'],
    ['seller.example', 'http://other.example/robots.txt'],
    ['seller.example', 'https://www.seller.example/robots.txt'],
    ['seller.example', 'ftp://seller.example/robots.txt'],
    ['seller.example:8080', 'http://seller.example/robots.txt'],
    ['seller.example:8080', 'https://seller.example/robots.txt'],
    ['seller.example:8080', 'http://seller.example:8081/robots.txt'],
  ])('is not looked for outside of %s at %s', async (host, location) => {
    const first = `http://${host}/robots.txt`
    const { called, robots } = await refreshed(host, { [first]: to(location), [location]: { body: OURS } })
    expect(called).toEqual([first])
    expect(rulesIn(robots)).toEqual([])
  })

  it('is not looked for without https where it was asked for with it', async () => {
    const [first, next] = ['https://seller.example/robots.txt', 'http://seller.example/robots.txt']
    const answers = { [first]: to(next), [next]: { body: OURS } }
    expect((await refreshed('seller.example', answers, { scheme: 'https' })).called).toEqual([first])
    const { called } = await refreshed('seller.example', { [next]: to(first), [first]: to(next) })
    expect(called).toEqual([next, first])
  })

  it('is looked for five times', async () => {
    const first = 'http://seller.example/robots.txt'
    expect((await refreshed('seller.example', { [first]: to(first) })).called).toHaveLength(6)
  })

  it('is looked for as long as there is time; after that the last rules stand for an hour', async () => {
    const first = 'http://seller.example/robots.txt'
    const known: KnownRobots = { http: { staleUs: 0, rules: [{ allow: false, pattern: '/old' }] } }
    const { called, robots } = await refreshed('seller.example', { [first]: to(first) }, { known, calls: 3 })
    expect(called).toHaveLength(3)
    expect([rulesIn(robots), robots.http?.staleUs]).toEqual([['/old'], NOON_US + HOUR_US])
  })
})

describe('a robots.txt that is refused', () => {
  const first = 'http://seller.example/robots.txt'
  const known: KnownRobots = { http: { staleUs: 0, rules: [{ allow: false, pattern: '/old' }] } }
  const refusal = async (status: number, retryAfter?: string) => {
    const headers: HeaderPair[] = retryAfter === undefined ? [] : [['Retry-After', retryAfter]]
    const { robots, pauseMs } = await refreshed('seller.example', { [first]: { status, headers } }, { known })
    return { pauseMs, rules: rulesIn(robots), freshHours: ((robots.http?.staleUs ?? 0) - NOON_US) / HOUR_US }
  }

  it('says for how long its host wants to be left alone, and is asked for an hour after that', async () => {
    const rules = ['/old']
    expect(await refusal(503, '3600')).toEqual({ pauseMs: 3_600_000, rules, freshHours: 2 })
    expect(await refusal(429, '7200')).toEqual({ pauseMs: 7_200_000, rules, freshHours: 3 })
    expect(await refusal(429)).toMatchObject({ pauseMs: 60_000, rules })
    expect(await refusal(503)).toEqual({ pauseMs: null, rules, freshHours: 1 })
    expect(await refusal(404, '999999')).toEqual({ pauseMs: 86_400_000, rules: [], freshHours: 25 })
    expect(await refusal(404)).toEqual({ pauseMs: null, rules: [], freshHours: 24 })
  })

  it('says so where a redirect leads, too', async () => {
    const next = 'http://seller.example/r'
    const busy: Answer = { status: 503, headers: [['retry-after', '120']] }
    const { pauseMs, robots } = await refreshed('seller.example', { [first]: to(next), [next]: busy })
    expect(pauseMs).toBe(120_000)
    expect(isFresh(robots, 'http', NOON_US + 120_000_000)).toBe(true)
  })

  it('is read again where a clock that was ahead has read it', () => {
    const fresh = (staleUs: number): boolean => isFresh({ http: { staleUs, rules: [] } }, 'http', NOON_US)
    expect([fresh(NOON_US), fresh(NOON_US + 1), fresh(NOON_US + 24 * HOUR_US)]).toEqual([false, true, true])
    expect(fresh(NOON_US + 49 * HOUR_US)).toBe(false)
  })
})
