import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGlobalUnicast, withoutSynthesized } from './address.ts'

describe('isGlobalUnicast', () => {
  it('takes ordinary public addresses', () => {
    for (const address of ['1.1.1.1', '8.8.8.8', '93.184.215.14', '172.15.255.255', '172.32.0.0', '223.255.255.255'])
      expect(isGlobalUnicast(address)).toBe(true)
    for (const address of ['2606:4700::1111', '2a00:1450:4001::8a', '2400::1', '2001:200::1', '2620:4f:8001::1'])
      expect(isGlobalUnicast(address)).toBe(true)
  })

  it.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.169.254'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '239.255.255.255'],
    ['240.0.0.0', '255.255.255.255'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:7f00:1::'],
    ['2620:4f:8000::', '2620:4f:8000:ffff::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['::', '::1'],
    ['::ffff:8.8.8.8', '::ffff:7f00:1'],
    ['::127.0.0.1', '::8.8.8.8'],
    ['64:ff9b::7f00:1', '64:ff9b:1::1'],
    ['100::1', '5f00::1'],
    ['4000::', 'fbff::1'],
    ['fc00::1', 'fdff::1'],
    ['fe80::1', 'febf::1'],
    ['fec0::1', 'ff02::1'],
  ])('refuses the special range from %s to %s', (first, last) => {
    expect(isGlobalUnicast(first)).toBe(false)
    expect(isGlobalUnicast(last)).toBe(false)
  })

  it('refuses what is no plain IP address', () => {
    for (const text of [
      '',
      'localhost',
      '8.8.8.8%lo',
      '2606:4700::1%1',
      '08.8.8.8',
      '8.8.8',
      '[2606:4700::1]',
      '8.8.8.8 ',
    ])
      expect(isGlobalUnicast(text)).toBe(false)
  })

  it('refuses every IPv4 address in each of its IPv6 disguises', () => {
    const disguises = (a: string, high: string, low: string) => [
      `::ffff:${a}`,
      `::${a}`,
      `64:ff9b::${a}`,
      `2002:${high}:${low}::`,
      `2001:0:${high}:${low}::1`,
    ]
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = (x: number, y: number): string => ((x << 8) | y).toString(16)
        return disguises(address, hex(a, b), hex(c, d)).every((disguise) => !isGlobalUnicast(disguise))
      }),
    )
  })
})

describe('withoutSynthesized', () => {
  it('leaves out what NAT64 makes of an address that is there, and nothing else', () => {
    const own = ['93.184.215.14', '1.0.0.1', '2606:4700::1111']
    expect(withoutSynthesized([...own, '64:ff9b::5db8:d70e', '64:FF9B::100:1'])).toEqual(own)
    for (const other of ['64:ff9b::7f00:1', '64:ff9b::1', '64:ff9b:1::5db8:d70e', '::ffff:5db8:d70e', '127.0.0.1'])
      expect(withoutSynthesized([...own, other])).toEqual([...own, other])
    expect(withoutSynthesized(['64:ff9b::5db8:d70e'])).toEqual(['64:ff9b::5db8:d70e'])
  })
})
