import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headFault, LONGEST_TARGET, MOST_BODY_BYTES, targetFault } from './edges.ts'
import { readHead } from './head.ts'

const HEAD = readHead(['Host', 'tollbook.example'])
const withHost = (...more: string[]) => readHead(['Host', 'tollbook.example', ...more])

describe('the edge before everything else', () => {
  it('lets a plain request through', () => {
    expect(headFault('GET', '1.1', HEAD)).toBeUndefined()
    expect(headFault('GET', '1.1', withHost('Content-Length', '0'))).toBeUndefined()
    expect(headFault('POST', '1.1', withHost('Content-Length', String(MOST_BODY_BYTES)))).toBeUndefined()
    expect(headFault('GET', '1.0', readHead([]))).toBeUndefined()
  })

  it.each([
    ['GET', readHead([]), 400],
    ['GET', readHead(['Host', 'a.example', 'Host', 'a.example']), 400],
    ['GET', readHead(['Host', '']), 400],
    ['GET', readHead(['Host', 'a.example/x']), 400],
    ['GET', readHead(['Host', 'user@a.example']), 400],
    ['GET', withHost('Content-Length', '1'), 400],
    ['HEAD', withHost('Transfer-Encoding', 'chunked'), 400],
    ['GET', withHost('Upgrade', 'h2c'), 400],
    ['POST', withHost('Content-Length', String(MOST_BODY_BYTES + 1)), 413],
  ])('refuses %s %j with %i', (method, head, status) => {
    expect(headFault(method, '1.1', head)?.status).toBe(status)
  })

  it.each(['a.example', 'a.example:8402', 'localhost', '127.0.0.1:1', '[::1]:8402', 'xn--bcher-kva.example'])(
    'takes %s as a host of ours',
    (host) => {
      expect(headFault('GET', '1.1', readHead(['Host', host]))).toBeUndefined()
    },
  )
})

describe('the request target', () => {
  it.each([
    '/',
    '/hosts/api.example.com?view=cards',
    '/hosts/%C3%A9.example',
    '//x',
    'http://Tollbook.example/hosts/x',
  ])('may be %s', (target) => {
    expect(targetFault(target, HEAD)).toBeUndefined()
  })

  it.each([
    ['', 400],
    ['*', 400],
    ['hosts/x', 400],
    ['/%', 400],
    ['/%zz', 400],
    ['/%C3', 400],
    ['/%FF', 400],
    ['/?q=%E0%A4%A', 400],
    ['/?q=%00', 400],
    ['/hosts/a%0d%0aSet-Cookie', 400],
    ['/a\\b', 400],
    ['/a#b', 400],
    ['/caf\u00e9', 400],
    ['http://other.example/', 400],
    ['http://tollbook.example@other.example/', 400],
    ['ftp://tollbook.example/', 400],
    [`/${'a'.repeat(LONGEST_TARGET)}`, 414],
  ])('%s is refused with %i', (target, status) => {
    expect(targetFault(target, HEAD)?.status).toBe(status)
  })

  it('holds no text of several lines, and is told how to name one', () => {
    const hint = expect.stringContaining('text_sha256')
    expect(targetFault('/v1/reviews/message?text=a%0Ab', HEAD)).toMatchObject({ status: 400, hint })
  })

  it('is taken for any text that is correctly percent-encoded and holds no control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const clean = text.replaceAll(/\p{Cc}/gu, '')
        expect(targetFault(`/hosts/x?q=${encodeURIComponent(clean)}`, HEAD)).toBeUndefined()
      }),
    )
  })
})
