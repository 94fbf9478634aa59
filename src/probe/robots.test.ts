import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTarget } from './egress/target.ts'
import { isAllowed, parseRobots } from './robots.ts'

/** Any sixteen bits, lone surrogates too. */
const anyText = fc.uint16Array({ maxLength: 300 }).map((units) => String.fromCharCode(...units))

const rulesOf = (...lines: string[]) => parseRobots(lines.join('\n'))

describe('robots.txt', () => {
  it('is read for our own token only, in any case and with a version', () => {
    const text = ['User-agent: *', 'Disallow: /', '', 'user-agent: TollBook/2.0', 'disallow: /private # not for us']
    expect(rulesOf(...text)).toEqual([{ allow: false, pattern: '/private' }])
    expect(rulesOf('User-agent: *', 'Disallow: /')).toEqual([])
    expect(rulesOf('User-agent: tollbook-other', 'Disallow: /')).toEqual([])
  })

  it('joins all groups that name us, and groups with several names', () => {
    const rules = rulesOf(
      'User-agent: tollbook',
      'Disallow: /a',
      'User-agent: other',
      'Disallow: /x',
      'User-agent: other',
      'Sitemap: https://seller.example/sitemap.xml',
      'User-agent: tollbook',
      'Allow: /a/b',
    )
    expect(rules).toEqual([
      { allow: false, pattern: '/a' },
      { allow: true, pattern: '/a/b' },
    ])
  })

  it('lets the longest rule decide, and the permission among equals', () => {
    const rules = rulesOf('User-agent: tollbook', 'Disallow: /v1', 'Allow: /v1/free', 'Disallow: /same', 'Allow: /same')
    expect(isAllowed(rules, '/v1/paid')).toBe(false)
    expect(isAllowed(rules, '/v1/free/x')).toBe(true)
    expect(isAllowed(rules, '/same')).toBe(true)
    expect(isAllowed(rules, '/else')).toBe(true)
  })

  it('takes wildcards and ends as RFC 9309 has them', () => {
    const rules = rulesOf('User-agent: tollbook', 'Disallow: /*.pdf$', 'Disallow: /a*b*c', 'Disallow: /only$')
    expect(isAllowed(rules, '/x/y.pdf')).toBe(false)
    expect(isAllowed(rules, '/x/y.pdf?z')).toBe(true)
    expect(isAllowed(rules, '/a-b-c-d')).toBe(false)
    expect(isAllowed(rules, '/a-c-b')).toBe(true)
    expect(isAllowed(rules, '/only')).toBe(false)
    expect(isAllowed(rules, '/only/more')).toBe(true)
  })

  it('sees one path in its spellings', () => {
    const rules = rulesOf('User-agent: tollbook', 'Disallow: /é%7eb')
    expect(isAllowed(rules, '/%c3%a9~b')).toBe(false)
    expect(isAllowed(rules, '/e~b')).toBe(true)
    expect(isAllowed(rulesOf('User-agent: tollbook', 'Disallow: /'), '')).toBe(false)
    expect(isAllowed(rulesOf('User-agent: tollbook', 'Disallow:'), '/x')).toBe(true)
  })

  it('is asked about the path that is sent, however it is listed', () => {
    const rules = rulesOf('User-agent: tollbook', 'Disallow: /admin', 'Disallow: /a"b', "Disallow: /*'x")
    const forbidden = ['/pub/../admin/x', '/pub/%2e%2E/admin/y', '/pub/..\\admin', '/./admin', '/a"b', '/a%22b']
    for (const path of [...forbidden, "/q?'x", "/q'x", '/q%27x']) expect(isAllowed(rules, path)).toBe(false)
    expect(isAllowed(rules, '/admin/../pub')).toBe(true)
    expect(isAllowed(rules, '/pub?next=/../admin')).toBe(true)
    const part = fc.constantFrom('..', '.', '%2e', '%2E.', '/', '\\', 'a', 'admin', '?', '"', '^', '%5c', 'é', '%')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = `/${parts.join('')}`
        const sent = readTarget(`http://seller.example${path}`).path
        expect(isAllowed(rules, path)).toBe(isAllowed(rules, sent))
        if (sent.startsWith('/admin')) expect(isAllowed(rules, path)).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('matches like the regular expression that a pattern means', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 })
    fc.assert(
      fc.property(
        letters,
        fc.boolean(),
        fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 }),
        (p, end, path) => {
          const pattern = `/${p}${end ? '$' : ''}`
          const meant = new RegExp(`^/${p.replaceAll('*', '.*')}${end ? '$' : ''}`)
          expect(isAllowed([{ allow: false, pattern }], `/${path}`)).toBe(!meant.test(`/${path}`))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('keeps little of however much is written, and never permits by cutting', () => {
    const long = 'a'.repeat(5000)
    const rules = rulesOf(
      'User-agent: tollbook',
      `Allow: /${long}`,
      `Disallow: /${long}`,
      ...Array(5000).fill('Disallow: /x'),
    )
    expect(rules.length).toBeLessThanOrEqual(100)
    expect(JSON.stringify(rules).length).toBeLessThan(30_000)
    expect(isAllowed(rules, `/${long}`)).toBe(false)
    fc.assert(
      fc.property(anyText, anyText, (text, path) => {
        expect(typeof isAllowed(parseRobots(`user-agent: tollbook\nDisallow: ${text}`), path)).toBe('boolean')
      }),
    )
  })
})
