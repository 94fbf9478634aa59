import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, isTemplate, LONGEST_PATH, parseAddress, SCHEMES } from './route.ts'

const read = (url: string) => {
  const reading = parseAddress(url)
  return reading.ok ? reading.address : reading.reason
}

const scheme = fc.constantFrom(...SCHEMES)
/** What may stand in a path: anything visible but a fragment. */
const rest = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom('/', '?', ':id', '{id}', '%7Bid%7D', '%2F', '..', '@', '&x=1'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => !/[#\s\p{Cc}\p{Cf}]/u.test(text) && text.isWellFormed())
const path = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom('/', '?'), rest).map((parts) => parts.join('')),
)

describe('parseAddress', () => {
  it('keeps everything after the host as it was written, and drops the fragment', () => {
    fc.assert(
      fc.property(scheme, path, fc.string(), (used, written, fragment) => {
        const expected = { scheme: used, host: 'seller.example', path: written }
        expect(read(`${used}://seller.example${written}`)).toEqual(expected)
        expect(read(`${used}://seller.example${written}#${fragment}`)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads back every address that is made of its parts', () => {
    fc.assert(
      fc.property(scheme, fc.option(fc.integer({ min: 1, max: 65_535 })), path, (used, port, written) => {
        const first = parseAddress(`${used}://Seller.Example${port === null ? '' : `:${port}`}${written}`)
        expect(first.ok).toBe(true)
        if (!first.ok) return
        const address = addressOf(first.address.scheme, first.address.host, first.address.path)
        expect(parseAddress(address)).toEqual(first)
      }),
    )
  })

  it.each([
    ['https://api.seller.example/users/:id', '/users/:id'],
    ['https://api.seller.example/users/{id}?q={q}', '/users/{id}?q={q}'],
    ['https://api.seller.example/users/%7Bid%7D', '/users/%7Bid%7D'],
    ['https://api.seller.example/users/%7bid%7d', '/users/%7bid%7d'],
    ['https://api.seller.example', ''],
    ['https://api.seller.example/', '/'],
    ['https://api.seller.example//a/./../b/', '//a/./../b/'],
    ['https://api.seller.example?x=1#y', '?x=1'],
    ['https://api.seller.example/a?b=c?d#e#f', '/a?b=c?d'],
    ['https://api.seller.example/a@b:c', '/a@b:c'],
    ['https://api.seller.example/é/日本', '/é/日本'],
    ['https://api.seller.example/mcp/server/__tool__/name', '/mcp/server/__tool__/name'],
    ['https://api.seller.example/0123456789abcdef0123456789abcdef/v1', '/0123456789abcdef0123456789abcdef/v1'],
  ])('takes the path of %s verbatim', (url, expected) => {
    expect(read(url)).toEqual({ scheme: 'https', host: 'api.seller.example', path: expected })
  })

  it('drops the port of the scheme itself and keeps every other', () => {
    expect(read('https://a.example:443/')).toMatchObject({ host: 'a.example' })
    expect(read('http://a.example:80/')).toMatchObject({ host: 'a.example' })
    expect(read('http://a.example:443/')).toMatchObject({ host: 'a.example:443' })
    expect(read('https://a.example:80/')).toMatchObject({ host: 'a.example:80' })
    expect(read('HTTPS://A.EXAMPLE:8443/X')).toEqual({ scheme: 'https', host: 'a.example:8443', path: '/X' })
  })

  it.each([
    ['ftp://a.example/', 'not an http or https address'],
    ['//a.example/', 'not an http or https address'],
    ['a.example/v1', 'not an http or https address'],
    ['https:/a.example/', 'not an http or https address'],
    [' https://a.example/', 'not an http or https address'],
    ['javascript://a.example/', 'not an http or https address'],
    ['', 'not an http or https address'],
    ['https://', 'not a host name'],
    ['https:///v1', 'not a host name'],
    ['https://user@a.example/', 'an address with user information is refused'],
    ['https://user:pass@a.example/', 'an address with user information is refused'],
    ['https://127.0.0.1/', 'an IP address is not a seller host'],
    ['https://[::1]/', 'not a host name'],
    ['https://localhost/', 'a single label is not a public host name'],
    ['https://a.internal/', 'names under .internal are not public'],
    ['https://a.example\\@evil.example/', 'an address with user information is refused'],
    ['https://a.example\\.evil.example/', 'not a DNS host name'],
    ['https://a%2eexample/', 'not a DNS host name'],
    ['https://a.example:99999/', 'the port is out of range'],
    ['https://a.example/a b', 'the path holds spaces, control characters or ill-formed text'],
    ['https://a.example/a\nb', 'the path holds spaces, control characters or ill-formed text'],
    ['https://a.example/a\u00a0b', 'the path holds spaces, control characters or ill-formed text'],
    ['https://a.example/a\0b', 'the path holds spaces, control characters or ill-formed text'],
    ['https://a.example/a\u202eb', 'the path holds spaces, control characters or ill-formed text'],
    ['https://a.example/a\u2028b', 'the path holds spaces, control characters or ill-formed text'],
    ['https://a.example/\ud800', 'the path holds spaces, control characters or ill-formed text'],
  ])('refuses %j', (url, reason) => expect(read(url)).toBe(reason))

  it('takes only the names that the operator allows besides the public ones', () => {
    expect(parseAddress('http://api.seller.test:8402/v1', ['*.seller.test'])).toEqual({
      ok: true,
      address: { scheme: 'http', host: 'api.seller.test:8402', path: '/v1' },
    })
    expect(parseAddress('http://api.other.test/v1', ['*.seller.test']).ok).toBe(false)
  })

  it('measures a path in bytes', () => {
    const at = `/${'é'.repeat((LONGEST_PATH - 2) / 2)}`
    expect(read(`https://a.example${at}a`)).toMatchObject({ path: `${at}a` })
    expect(read(`https://a.example${at}é`)).toBe('the path is longer than 2000 bytes')
  })
})

describe('isTemplate', () => {
  it.each([
    '/users/:id',
    '/:id',
    '/a/{id}',
    '/{a}/{b}',
    '/a?x={x}',
    '/%7Bid%7D',
    '/%7bid%7d',
    '/a/:_x/b',
    '/quote?symbol=:symbol',
    '/a?b=1&c=:d',
    '/stock/[symbol]',
    '/[chain]/price?at=now',
    '/docs/[...slug]',
    '/api/*',
    '/*/price',
    '/u/<id>',
    '/u/<int:id>/posts',
    '/u/%3Cint:id%3E',
    '/u/%3cid%3e.json',
    '/a?q=<query>',
    '/docs/[[...slug]]',
    '/u/%5Bid%5D',
    '/u/[id].json',
    '/[from]-[to]',
    '/u/[id=integer]',
    '/a/**',
    '/a/**/b',
    '/files/*path',
    '/files/*.json',
    '/api*',
    '/a/{id:[0-9]+}',
    '/a/{path...}',
    '/a/{{id}}',
    '/a/:id(\\d+)',
    '/a/:path*',
  ])('finds a parameter in %s', (written) => expect(isTemplate(written)).toBe(true))

  it.each([
    '',
    '/',
    '/users/1',
    '/a:b',
    '/a/12:30',
    '/a?t=12:30',
    '/a?t=:30',
    '/a?u=x:y',
    '/:',
    '/:1',
    '/mcp/x/__tool__/y',
    '/%20',
    '/a?ids[]=1&filter[name]=x',
    '/a?b=/*&c=/[id]',
    '/a[0]/b',
    '/[1]',
    '/a*b',
    '/2*3/x',
    '/a[b]/c',
    '/a?q=*&r=*x',
    '/a?ids%5B%5D=1&filter%5Bname%5D=x',
    '/a<b',
    '/a>b',
    '/a?q=3<4&r=5>6',
    '/a%3Cb',
    '/a%3C%3E',
    '/<>',
  ])('finds none in %j', (written) => expect(isTemplate(written)).toBe(false))
})
