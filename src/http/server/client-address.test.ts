import { SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey, clientAddress, trustedProxies } from './client-address.ts'

describe('who shares a budget', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })

  it('depends on the first four groups of an IPv6 address and on nothing else, however it is written', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const groups = fc.array(group, { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(groups, fc.array(group, { minLength: 4, maxLength: 4 }), (all, tail) => {
        const written = all.map((one) => one.toString(16).padStart(4, '0')).join(':')
        // Node prints the short form, `::` and all.
        const short = new SocketAddress({ address: written, family: 'ipv6' }).address
        const neighbour = [...all.slice(0, 4), ...tail].map((one) => one.toString(16)).join(':')
        const mapped = all.slice(0, 5).every((one) => one === 0) && all[5] === 0xffff
        fc.pre(!mapped)
        expect(addressKey(short)).toBe(addressKey(written))
        expect(addressKey(neighbour)).toBe(addressKey(written))
      }),
    )
  })
})

describe('the address of a client', () => {
  const trusted = trustedProxies(['10.0.0.0/8', '2001:db8::1']) ?? null

  it('is the peer itself, whatever it claims, when no proxy is trusted', () => {
    expect(clientAddress('::ffff:203.0.113.7', '198.51.100.1', null)).toBe('203.0.113.7')
    expect(clientAddress('203.0.113.7', '198.51.100.1', trusted)).toBe('203.0.113.7')
  })

  it('is what the nearest trusted proxy saw, never what a client wrote before it', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1', trusted)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', '192.0.2.9, 198.51.100.1, 10.2.3.4', trusted)).toBe('198.51.100.1')
    expect(clientAddress('2001:db8::1', '2001:db8:5::5', trusted)).toBe('2001:db8:5::5')
    expect(clientAddress('10.0.0.1', 'unknown', trusted)).toBe('10.0.0.1')
    expect(clientAddress('10.0.0.1', undefined, trusted)).toBe('10.0.0.1')
  })

  it('is read where a proxy writes the port beside it', () => {
    expect(clientAddress('10.0.0.1', '192.0.2.9, 198.51.100.1:51234', trusted)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', '198.51.100.1:51234, 10.2.3.4:8080', trusted)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', '[2001:db8:5::5]:443', trusted)).toBe('2001:db8:5::5')
    expect(clientAddress('10.0.0.1', '[2001:db8:5::5], [2001:db8::1]', trusted)).toBe('2001:db8:5::5')
    for (const wrong of ['[198.51.100.1', '198.51.100.1:', '198.51.100.1:x', '[]:1', 'a:1'])
      expect(clientAddress('10.0.0.1', wrong, trusted)).toBe('10.0.0.1')
  })

  it('is not read from a list of proxies that names something else', () => {
    expect(trustedProxies(['10.0.0.0/33'])).toBeUndefined()
    expect(trustedProxies(['proxy.example'])).toBeUndefined()
    expect(trustedProxies(['10.0.0.0/x'])).toBeUndefined()
  })
})
