import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostRow } from './testing/sample-views.ts'
import {
  assetText,
  networkJson,
  networkText,
  priceRangeText,
  priceText,
  shortened,
  timeText,
  unicodeForm,
} from './values.ts'

describe('networkText', () => {
  it('prints a network as it is written, quoted, and its name beside an id', () => {
    expect(networkText('base')).toBe('base')
    expect(networkText('Base Sepolia')).toBe('Base Sepolia')
    expect(networkText('eip155:84532', (text) => `\`${text}\``)).toBe('`eip155:84532` (Base Sepolia)')
    expect(networkText('eip155:999999')).toBe('eip155:999999')
    expect(networkText(null)).toBe('no data')
  })

  it('gives programs the id and the name of a known network, whatever way it is written, and nothing of others', () => {
    for (const written of ['base', 'Base Mainnet', '8453', 'eip155:8453'])
      expect(networkJson(written)).toEqual({ network_id: 'eip155:8453', network_name: 'Base' })
    expect([networkJson(null), networkJson('nowhere:main')]).toEqual([{}, {}])
  })
})

describe('assetText', () => {
  const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

  it('prints an asset as it is written, and beside one that is known on that very network what it is', () => {
    expect(assetText('base', USDC)).toBe(`${USDC} (USDC)`)
    expect(assetText('eip155:8453', '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca')).toMatch(/ \(bridged USDC\)$/)
    expect(assetText('tempo:4217', '0x20c000000000000000000000b9537d11c60e8b50')).toMatch(/ \(bridged USDC\)$/)
    expect(assetText('tempo:1337', '0x20c0000000000000000000000000000000000000')).toMatch(/ \(pathUSD\)$/)
    expect(assetText('solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toMatch(/ \(USDC\)$/)
    expect(assetText('solana', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB')).toMatch(/ \(a known dollar\)$/)
    // 18 decimals: not the coin that Circle issues.
    expect(assetText('bsc', '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d')).toMatch(/ \(a known dollar\)$/)
    for (const network of ['eip155:1', 'eip155:84532', 'nowhere', null]) expect(assetText(network, USDC)).toBe(USDC)
    for (const asset of ['USDC', 'constructor', '0xdollar']) expect(assetText('base', asset)).toBe(asset)
    expect(assetText('base', null)).toBe('no data')
  })
})

describe('values in text views', () => {
  it('say "no data" for what is not known, and a free price as such', () => {
    expect([priceText(null), timeText(null), priceText(0)]).toEqual(['no data', 'no data', '0.000000'])
  })

  it('are shortened to whole characters, and left alone where they are short enough', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const short = shortened(text, most)
        expect([...short].length).toBeLessThanOrEqual(most)
        expect(short.isWellFormed()).toBe(true)
        if ([...text].length <= most) expect(short).toBe(text)
        else expect(text.startsWith(short.slice(0, -1)) && short.endsWith('…')).toBe(true)
      }),
    )
  })

  it('show the Unicode form of a punycode host with its port, and none for plain names', () => {
    expect(unicodeForm('xn--bcher-kva.example:8443')).toBe('bücher.example:8443')
    expect(unicodeForm('api.example.com')).toBeNull()
  })

  it('show one price where the lowest is the highest', () => {
    expect(priceRangeText(hostRow('a.example', { priceMin: 1000, priceMax: 1000 }))).toBe('0.001000')
    expect(priceRangeText(hostRow('a.example', { priceMin: 1000, priceMax: 2000 }))).toBe('0.001000 to 0.002000')
    expect(priceRangeText(hostRow('a.example', { priceMin: null, priceMax: null }))).toBe('no data')
  })
})
