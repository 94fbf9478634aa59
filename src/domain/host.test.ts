import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHost } from './host.ts'

const SPECIAL_USE = ['localhost', 'local', 'internal', 'test', 'invalid', 'onion']

const hostOf = (...reading: Parameters<typeof parseHost>): string | undefined => {
  const read = parseHost(...reading)
  return read.ok ? read.host : undefined
}
const reasonOf = (...reading: Parameters<typeof parseHost>): string | undefined => {
  const read = parseHost(...reading)
  return read.ok ? undefined : read.reason
}

const publicName = fc.domain().filter((name) => ![...SPECIAL_USE, 'alt', 'arpa'].includes(name.split('.').at(-1) ?? ''))
const port = fc.integer({ min: 1, max: 65_535 })
const casing = (text: string): fc.Arbitrary<string> =>
  fc.infiniteStream(fc.boolean()).map((upper) => {
    const flips = upper[Symbol.iterator]()
    return [...text].map((letter) => (flips.next().value ? letter.toUpperCase() : letter)).join('')
  })

/** Any code point, halves of surrogate pairs too. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) })

describe('parseHost', () => {
  it('takes a public name as it is, and in any case, and with a trailing dot', () => {
    const spelled = publicName.chain((name) => fc.tuple(fc.constant(name.toLowerCase()), casing(name)))
    fc.assert(
      fc.property(spelled, ([name, written]) => {
        expect(hostOf(name)).toBe(name)
        expect(hostOf(written)).toBe(name)
        expect(hostOf(`${written}.`)).toBe(name)
        expect(hostOf(`${written}..`)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('keeps a port unless it is the scheme’s own', () => {
    fc.assert(
      fc.property(publicName, port, port, (name, written, own) => {
        const bare = name.toLowerCase()
        expect(hostOf(`${name}:${written}`)).toBe(`${bare}:${written}`)
        expect(hostOf(`${name}:${written}`, [], own)).toBe(written === own ? bare : `${bare}:${written}`)
        expect(hostOf(`${name}.:${own}`, [], own)).toBe(bare)
      }),
    )
    expect(hostOf('a.example:0443', [], 443)).toBe('a.example')
    expect(hostOf('a.example:08080')).toBe('a.example:8080')
  })

  it('is idempotent and canonical, whatever it is given', () => {
    const pieces = fc.constantFrom(
      'a',
      'Z',
      '9',
      '-',
      '_',
      '.',
      ':',
      '8',
      'ß',
      'É',
      '。',
      '％',
      '٣',
      '\u00ad',
      '\u200d',
      'xn--',
      '@',
      '/',
      '0x',
    )
    const written = fc.oneof(
      fc.string(),
      anyText,
      fc.array(pieces, { maxLength: 12 }).map((parts) => `${parts.join('')}.example`),
    )
    fc.assert(
      fc.property(written, (text) => {
        const host = hostOf(text)
        if (host === undefined) return
        expect(hostOf(host)).toBe(host)
        expect(host).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+(:[1-9]\d{0,4})?$/)
        const name = host.replace(/:\d+$/, '')
        expect(domainToASCII(name)).toBe(name)
        expect(new URL(`https://${host}/`).hostname).toBe(name)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.Example', 'xn--bcher-kva.example'],
    ['bu\u0308cher.example', 'xn--bcher-kva.example'],
    ['例え。example', 'xn--r8jz45g.example'],
    ['ｅｘａｍｐｌｅ.ｃｏｍ', 'example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['_dmarc.seller.example', '_dmarc.seller.example'],
    ['1.2.3.4.example', '1.2.3.4.example'],
    ['0x7f.example', '0x7f.example'],
    ['api.country.md', 'api.country.md'],
  ])('reads %s as %s', (written, host) => expect(hostOf(written)).toBe(host))

  it('refuses every IPv4 and IPv6 address in every spelling', () => {
    fc.assert(
      fc.property(fc.ipV4Extended(), port, (address, number) => {
        expect(hostOf(address)).toBeUndefined()
        expect(hostOf(`${address}.`)).toBeUndefined()
        expect(hostOf(`${address}:${number}`)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(hostOf(address)).toBeUndefined()
        expect(hostOf(`[${address}]`)).toBeUndefined()
        expect(hostOf(`[${address}]:8080`)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (address) => {
        for (const written of [address.toString(), `0x${address.toString(16)}`, `0${address.toString(8)}`]) {
          expect(hostOf(written)).toBeUndefined()
        }
      }),
    )
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '0x7f.1',
    '0x7F000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '256.256.256.256',
    '1.2.3.4.5',
    'seller.example.1',
    'seller.0x7f',
    '::1',
    '[::1]',
    '[::ffff:127.0.0.1]:80',
  ])('refuses the address %s', (written) => expect(reasonOf(written)).toMatch(/IP address|not a (DNS )?host name/))

  it('refuses names under a special-use top level, however they are written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SPECIAL_USE).chain(casing),
        fc.constantFrom('', '.', ':8402', '.:8402'),
        (top, end) => {
          expect(hostOf(`api.seller.${top}${end}`)).toBeUndefined()
          expect(hostOf(`${top}${end}`)).toBeUndefined()
        },
      ),
    )
    expect(reasonOf('api.seller.test')).toBe('names under .test are not public')
    expect(hostOf('test.example')).toBe('test.example')
    expect(hostOf('mylocal.example')).toBe('mylocal.example')
    expect(hostOf('api.mytest')).toBe('api.mytest')
  })

  it.each([
    ['a single label', 'seller', 'a single label is not a public host name'],
    ['nothing', '', 'not a host name'],
    ['a dot', '.', 'not a DNS host name'],
    ['an empty label', 'a..example', 'not a DNS host name'],
    ['a leading dot', '.a.example', 'not a DNS host name'],
    ['user information', 'user@seller.example', 'not a DNS host name'],
    ['user and password', 'user:pass@seller.example', 'not a host name'],
    ['percent-encoding', 'seller%2eexample', 'not a DNS host name'],
    ['an encoded slash', 'seller.example%2f.evil.example', 'not a DNS host name'],
    ['a path', 'seller.example/v1', 'not a DNS host name'],
    ['a backslash', 'seller.example\\evil.example', 'not a DNS host name'],
    ['a query', 'seller.example?x', 'not a DNS host name'],
    ['a fragment', 'seller.example#x', 'not a DNS host name'],
    ['a space', 'seller .example', 'not a DNS host name'],
    ['a line break behind', 'seller.example\n', 'not a DNS host name'],
    ['a NUL', 'seller\0.example', 'not a DNS host name'],
    ['a leading hyphen', '-seller.example', 'not a DNS host name'],
    ['a trailing hyphen', 'seller-.example', 'not a DNS host name'],
    ['broken punycode', 'xn--\u{80}.example', 'not a DNS host name'],
    ['a star', '*.example', 'not a DNS host name'],
    ['port 0', 'seller.example:0', 'the port is out of range'],
    ['port 65536', 'seller.example:65536', 'the port is out of range'],
    ['an empty port', 'seller.example:', 'not a host name'],
    ['a port of letters', 'seller.example:http', 'not a host name'],
    ['two ports', 'seller.example:1:2', 'not a host name'],
    ['a label of 64', `${'a'.repeat(64)}.example`, 'not a DNS host name'],
    ['a name of 254', `${'a.'.repeat(124)}aa.com`, 'the host name is too long'],
    ['a name without end', 'a'.repeat(100_000), 'the host name is too long'],
  ])('refuses %s', (_what, written, reason) => expect(reasonOf(written)).toBe(reason))

  it('takes names up to the longest that DNS has', () => {
    const longest = `${'a.'.repeat(124)}a.com`
    expect(longest).toHaveLength(253)
    expect(hostOf(longest)).toBe(longest)
    expect(hostOf(`${'a'.repeat(63)}.example`)).toBe(`${'a'.repeat(63)}.example`)
  })

  describe('with names that the operator allows', () => {
    const allow = ['*.seller.test', 'localhost', '127.0.0.1', 'box']

    it('takes exactly what a pattern names', () => {
      expect(hostOf('api.seller.test', allow)).toBe('api.seller.test')
      expect(hostOf('A.B.Seller.TEST.:8402', allow)).toBe('a.b.seller.test:8402')
      expect(hostOf('localhost:8402', allow)).toBe('localhost:8402')
      expect(hostOf('127.0.0.1:80', allow, 80)).toBe('127.0.0.1')
      expect(hostOf('box', allow)).toBe('box')
      expect(hostOf('public.example', allow)).toBe('public.example')
    })

    it('refuses their neighbours still', () => {
      const near = [
        'seller.test',
        'evilseller.test',
        'other.test',
        'a.localhost',
        '127.0.0.2',
        'boxes',
        'api.seller.test.evil.test',
      ]
      expect(near.filter((name) => hostOf(name, allow) !== undefined)).toEqual([])
    })

    it('never takes what is no DNS name at all', () => {
      for (const written of [
        '-.seller.test',
        'a b.seller.test',
        'u@api.seller.test',
        'a%2e.seller.test',
        '.seller.test',
      ]) {
        expect(hostOf(written, allow)).toBeUndefined()
      }
    })

    it('is idempotent under the same patterns', () => {
      fc.assert(
        fc.property(fc.domain(), fc.option(port), (name, number) => {
          const host = hostOf(`${name}.seller.test${number === null ? '' : `:${number}`}`, allow)
          if (host !== undefined) expect(hostOf(host, allow)).toBe(host)
        }),
      )
    })
  })
})
