import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseUnits, decimalText, dollars, priceIn } from './money.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

describe('priceIn', () => {
  it('reads base units of a known dollar on its own network, by either name of the network', () => {
    expect(priceIn('base', USDC, '10000')).toBe(10_000)
    expect(priceIn('eip155:8453', USDC.toLowerCase(), 1)).toBe(1)
    expect(priceIn('eip155:8453', `eip155:8453/erc20:${USDC}`, '2500000')).toBe(2_500_000)
  })

  it('gives no price for an unknown asset, another network, or an amount that is none', () => {
    expect(priceIn('keeta:main', 'USDC', '10000')).toBeNull()
    expect(priceIn('eip155:137', USDC, '10000')).toBeNull()
    expect(priceIn(null, USDC, '10000')).toBeNull()
    for (const amount of ['', '0.01', '$1', '-1', '1e3', 1.5, -1, 2 ** 60, null, undefined, '9'.repeat(79)]) {
      expect(priceIn('base', USDC, amount)).toBeNull()
    }
  })

  it('gives no price that the printed digits cannot hold', () => {
    expect(baseUnits('9'.repeat(78))).toBe(10n ** 78n - 1n)
    expect(priceIn('base', USDC, '9'.repeat(78))).toBeNull()
  })
})

describe('decimalText', () => {
  it('spells a JSON number with up to fifteen digits exactly as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 12 }), (digits, scale) => {
        const text = String(digits).padStart(scale + 1, '0')
        const written = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
        const read = decimalText(Number(written)) ?? ''
        const plain = (value: string) => (value.includes('.') ? value.replace(/\.?0+$/, '') : value)
        expect(plain(read)).toBe(plain(written))
      }),
    )
  })

  it('reads exponents and refuses what is no amount', () => {
    expect(decimalText(1e-7)).toBe('0.0000001')
    expect(decimalText(2.5e-7)).toBe('0.00000025')
    expect(decimalText(1e21)).toBeUndefined()
    expect([-1, Number.NaN, Number.POSITIVE_INFINITY, 5e-324].map(decimalText)).toEqual(Array(4).fill(undefined))
  })
})

describe('dollars', () => {
  it('reads the ways in which sellers write dollars, without floating point', () => {
    expect(['0.05', '$0.05', ' $ 0.05 ', '0.05 USDC', '.05', 0.05].map(dollars)).toEqual(Array(6).fill(50_000))
    expect(dollars(0.1 + 0.2)).toBe(300_000)
    expect(dollars('1')).toBe(1_000_000)
  })

  it('reads a small number in the writing of programs, and no large one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 7, max: 9 }), (digits, scale) => {
        const number = digits / 10 ** scale
        expect(dollars(String(number))).toBe(dollars(number))
        expect(dollars(number.toExponential())).toBe(dollars(number))
      }),
    )
    for (const text of ['1e5', '1e+5', '1e-', 'e-5', '12e-5', '1e-99', '1e-5 EUR', '$1e-5', '-1e-5'])
      expect([text, dollars(text)]).toEqual([text, undefined])
  })

  it('reads nothing into a range, a sentence or another currency', () => {
    for (const text of [
      '$0.001–$0.01 per request',
      '0.5 EUR',
      'free',
      '1,000',
      '$0,005',
      '$0,010 per call',
      '',
      '-1',
      null,
      {},
    ]) {
      expect(dollars(text)).toBeUndefined()
    }
  })
})
