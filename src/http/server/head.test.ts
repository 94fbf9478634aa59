import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHead } from './head.ts'

describe('the head of a request', () => {
  it('counts every Host line, in any case', () => {
    expect(readHead(['Host', 'a.example', 'HOST', 'b.example']).hosts).toBe(2)
    expect(readHead(['hOsT', 'a.example']).host).toBe('a.example')
    expect(readHead([]).hosts).toBe(0)
  })

  it('joins repeated lists as one', () => {
    const head = readHead([
      'Accept',
      'text/html',
      'accept',
      'text/markdown',
      'If-None-Match',
      '"a"',
      'if-none-match',
      '"b"',
    ])
    expect(head.accept).toBe('text/html, text/markdown')
    expect(head.ifNoneMatch).toBe('"a", "b"')
  })

  it('reads what a slow look at the same list reads', () => {
    const names = [
      'Host',
      'accept',
      'Accept-Encoding',
      'IF-NONE-MATCH',
      'x-request-id',
      'Content-Length',
      'Upgrade',
      'Cookie',
    ]
    const lines = fc.array(fc.tuple(fc.constantFrom(...names, 'X', 'Transfer-Encoding'), fc.string()))
    fc.assert(
      fc.property(lines, (pairs) => {
        const all = (name: string): string[] =>
          pairs.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value)
        const list = (name: string): string | undefined => (all(name).length > 0 ? all(name).join(', ') : undefined)
        const head = readHead(pairs.flat())
        expect(head).toMatchObject({
          hosts: all('host').length,
          accept: list('accept'),
          acceptEncoding: list('accept-encoding'),
          ifNoneMatch: list('if-none-match'),
          requestId: all('x-request-id').at(-1),
          contentLength: all('content-length').at(-1),
          upgrade: all('upgrade').length > 0,
          chunked: all('transfer-encoding').length > 0,
        })
      }),
    )
  })
})
