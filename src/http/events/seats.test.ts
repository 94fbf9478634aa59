import { describe, expect, it } from 'vitest'
import { addressKey, neighbourhood } from '../server/client-address.ts'
import { Seats, type Sitter } from './seats.ts'

/** A room of 16 seats, two for each address. */
function room() {
  const seats = new Seats<Sitter>({ mostClients: 16, mostPerAddress: 2 })
  const sit = (address: string): boolean => {
    const origin = { address: addressKey(address), network: neighbourhood(address) }
    try {
      seats.makeRoom(origin)
    } catch {
      return false
    }
    const sitter: Sitter = { ...origin, end: () => seats.delete(sitter) }
    seats.add(sitter)
    return true
  }
  const held = (network: string): number => [...seats].filter((one) => one.network === network).length
  return { seats, sit, held }
}

describe('streams of one address', () => {
  it('are as many as it may have and no more, while others come and stay', () => {
    const { sit, seats } = room()
    expect([1, 2, 3].map(() => sit('198.51.100.7'))).toEqual([true, true, false])
    expect(sit('203.0.113.9')).toBe(true)
    expect(seats.size).toBe(3)
  })

  it('count by the network that one IPv6 customer gets', () => {
    const { sit } = room()
    expect(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(sit)).toEqual([true, true, false])
  })
})

describe('streams of one address in several processes', () => {
  it('count together, until the process that holds them tells that they are gone', () => {
    const elsewhere = new Map<string, number>()
    const told: [string, number][] = []
    const seats = new Seats<Sitter>(
      { mostClients: 16, mostPerAddress: 2 },
      { elsewhere: (address) => elsewhere.get(address) ?? 0, tell: (address, held) => told.push([address, held]) },
    )
    const sitter: Sitter = { address: 'a', network: 'a', end: () => undefined }
    elsewhere.set('a', 1)
    seats.makeRoom(sitter)
    seats.add(sitter)
    expect(() => seats.makeRoom(sitter)).toThrow('2 streams are open from this address already.')
    elsewhere.delete('a')
    expect(() => seats.makeRoom(sitter)).not.toThrow()
    seats.delete(sitter)
    expect(told).toEqual([
      ['a', 1],
      ['a', 0],
    ])
  })
})

describe('when all streams are taken', () => {
  it('the network that holds most gives way to somebody who holds fewer', () => {
    const { sit, seats, held } = room()
    for (let n = 0; n < 100; n += 1) sit(`198.51.100.${n}`)
    expect(held('198.51.100.0/24')).toBe(16)
    for (const other of ['203.0.113.1', '192.0.2.1', '2001:db8:9::1']) expect(sit(other)).toBe(true)
    expect([seats.size, held('198.51.100.0/24'), held('203.0.113.0/24')]).toEqual([16, 13, 1])
  })

  it('nobody takes more than an equal part from the others', () => {
    const { sit, held } = room()
    for (let n = 0; n < 100; n += 1) sit(`198.51.100.${n}`)
    for (let n = 0; n < 100; n += 1) sit(`2001:db8:0:${n}::1`)
    for (let n = 0; n < 100; n += 1) sit(`198.51.100.${n}`)
    expect([held('198.51.100.0/24'), held('2001:db8:0::/48')]).toEqual([8, 8])
  })
})
