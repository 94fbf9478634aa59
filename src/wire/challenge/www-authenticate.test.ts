import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWwwAuthenticate } from './www-authenticate.ts'

const read = (value: string) =>
  parseWwwAuthenticate(value).map(({ scheme, params, isMalformed }) => [
    scheme,
    Object.fromEntries(params),
    isMalformed,
  ])

describe('parseWwwAuthenticate', () => {
  it('reads several schemes of one line, each with its own parameters', () => {
    expect(read('L402 macaroon="a=b", invoice="lnbc1", Payment id="1", realm="x", Basic realm="y"')).toEqual([
      ['L402', { macaroon: 'a=b', invoice: 'lnbc1' }, false],
      ['Payment', { id: '1', realm: 'x' }, false],
      ['Basic', { realm: 'y' }, false],
    ])
  })

  it('is not fooled by schemes, commas and quotes inside quoted strings', () => {
    expect(read('Payment id="1, Payment id=\\"2\\", x", description="a \\\\ b"')).toEqual([
      ['Payment', { id: '1, Payment id="2", x', description: 'a \\ b' }, false],
    ])
  })

  it('takes tokens without quotes, spaces around the sign, names in any case and schemes without parameters', () => {
    expect(read('Negotiate, PAYMENT ID = 7 ,Method=tempo,, Digest')).toEqual([
      ['Negotiate', {}, false],
      ['PAYMENT', { id: '7', method: 'tempo' }, false],
      ['Digest', {}, false],
    ])
  })

  it('marks what it cannot read and goes on with the next scheme', () => {
    expect(read('Payment id="1", id="2", Payment id="3"')).toEqual([
      ['Payment', { id: '1' }, true],
      ['Payment', { id: '3' }, false],
    ])
    expect(read('Payment id="1", request="never closed')).toEqual([['Payment', { id: '1' }, true]])
    expect(read('Payment id="1", "stray"')).toEqual([['Payment', { id: '1' }, true]])
    expect(read('id="1"')).toEqual([])
  })

  it('gives back any parameter that is quoted as the grammar says', () => {
    const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
    const schemes = fc.array(fc.tuple(fc.constantFrom('Payment', 'L402', 'Basic'), fc.string(), fc.string()), {
      minLength: 1,
    })
    fc.assert(
      fc.property(schemes, (wanted) => {
        const line = wanted.map(([scheme, a, b]) => `${scheme} a=${quote(a)}, b=${quote(b)}`).join(', ')
        expect(read(line)).toEqual(wanted.map(([scheme, a, b]) => [scheme, { a, b }, false]))
      }),
    )
  })
})
