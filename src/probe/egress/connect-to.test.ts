import { describe, expect, it } from 'vitest'
import { connectToFor, parseConnectTo } from './connect-to.ts'

describe('parseConnectTo', () => {
  it('reads entries of curl’s form, comma separated', () => {
    expect(parseConnectTo('a.example:443:127.0.0.1:8443, *.Seller.test::[::1]:80 ,')).toEqual([
      { host: 'a.example', port: 443, address: '127.0.0.1', addressPort: 8443 },
      { host: '*.seller.test', port: null, address: '::1', addressPort: 80 },
    ])
  })

  it('reads nothing from an empty text', () => {
    expect(parseConnectTo('')).toEqual([])
    expect(parseConnectTo(' , ')).toEqual([])
  })

  it('reads addresses as hosts, IPv6 in brackets and in any notation', () => {
    expect(parseConnectTo('[0:0::1]:80:10.0.0.1:80')).toEqual([
      { host: '::1', port: 80, address: '10.0.0.1', addressPort: 80 },
    ])
  })

  it.each([
    ['a.example:443:127.0.0.1', /expected host:port:address:port/],
    ['a:b:c:d:e', /expected host:port:address:port/],
    ['::1:80:127.0.0.1:80', /expected host:port:address:port/],
    ['a.example:443:localhost:8443', /must be an IP address/],
    ['a.example:443::8443', /must be an IP address/],
    ['a.example:443:[127.0.0.1]:8443', /in brackets when IPv6/],
    ['a.example:443:127.0.0.1:', /second port/],
    ['a.example:443:127.0.0.1:65536', /second port/],
    ['a.example:0:127.0.0.1:80', /first port/],
    ['a.example:http:127.0.0.1:80', /first port/],
    ['a*.example:80:127.0.0.1:80', /the host must be/],
    ['a b:80:127.0.0.1:80', /the host must be/],
  ])('refuses %s and says what is wrong', (text, message) => {
    expect(() => parseConnectTo(text)).toThrow(message)
    expect(() => parseConnectTo(`b.example:80:127.0.0.1:80,${text}`)).toThrow(`"${text}"`)
  })
})

describe('connectToFor', () => {
  const entries = parseConnectTo(
    'a.example:443:127.0.0.1:1,*.seller.test:443:127.0.0.1:2,*.seller.test::127.0.0.1:3,:8080:127.0.0.1:4',
  )

  it('takes the first entry that matches host and port', () => {
    const portOf = (host: string, port: number) => connectToFor(entries, host, port)?.addressPort
    expect(portOf('a.example', 443)).toBe(1)
    expect(portOf('x.seller.test', 443)).toBe(2)
    expect(portOf('x.y.seller.test', 80)).toBe(3)
    expect(portOf('other.example', 8080)).toBe(4)
  })

  it('matches neither another port, nor the bare suffix, nor a name that merely ends alike', () => {
    for (const host of ['b.a.example', 'seller.test', 'evilseller.test', 'a.example.evil.example'])
      expect(connectToFor(entries, host, 443)).toBeUndefined()
    expect(connectToFor(entries, 'a.example', 80)).toBeUndefined()
  })
})
