import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPrice, parsePrice, priceFromBaseUnits, priceFromDecimal } from './price.ts'

const anyPrice = fc.maxSafeNat()
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 8n }), fc.bigInt({ min: 0n, max: 2n ** 256n }))
const decimals = fc.integer({ min: 0, max: 36 })

describe('formatPrice and parsePrice', () => {
  it.each([
    [0, '0.000000'],
    [1, '0.000001'],
    [10_000, '0.010000'],
    [999_999, '0.999999'],
    [1_000_000, '1.000000'],
    [1_234_567_890_123, '1234567.890123'],
    [Number.MAX_SAFE_INTEGER, '9007199254.740991'],
  ])('prints %d millionths as %s', (price, text) => {
    expect(formatPrice(price)).toBe(text)
    expect(parsePrice(text)).toBe(price)
  })

  it('reads back every price that it prints, always with six fractional digits', () => {
    fc.assert(
      fc.property(anyPrice, (price) => {
        const text = formatPrice(price)
        expect(text).toMatch(/^(0|[1-9]\d*)\.\d{6}$/)
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(price))
        expect(parsePrice(text)).toBe(price)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads nothing but the printed form', () => {
    const nearly = fc.stringMatching(/^[-+0-9.,e ]{1,16}$/)
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        const price = parsePrice(text)
        if (price !== undefined) expect(formatPrice(price)).toBe(text)
      }),
      { numRuns: 2000 },
    )
    const refused = [
      '',
      '1',
      '.010000',
      '0.01',
      '0.0100000',
      '00.010000',
      '-0.010000',
      '+0.010000',
      '0,010000',
      '1e2.000000',
      ' 0.010000',
      '0.010000\n',
      '0.01000٠',
      '9007199254.740992',
      '99999999999.000000',
    ]
    expect(refused.filter((text) => parsePrice(text) !== undefined)).toEqual([])
  })

  it('orders prices as their numbers, not as their texts', () => {
    fc.assert(
      fc.property(anyPrice, anyPrice, (a, b) => {
        const [x = Number.NaN, y = Number.NaN] = [parsePrice(formatPrice(a)), parsePrice(formatPrice(b))]
        expect(Math.sign(x - y)).toBe(Math.sign(a - b))
      }),
    )
  })
})

describe('priceFromBaseUnits', () => {
  it('is the exact quotient, rounded up to the next millionth', () => {
    fc.assert(
      fc.property(amount, decimals, (units, places) => {
        const price = priceFromBaseUnits(units, places)
        const one = 10n ** BigInt(places)
        const exact = units * 1_000_000n
        if (price === undefined) {
          expect(exact > BigInt(Number.MAX_SAFE_INTEGER) * one).toBe(true)
          return
        }
        expect(BigInt(price) * one >= exact).toBe(true)
        expect((BigInt(price) - 1n) * one < exact).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('shows 0.000000 for a free route and for nothing else', () => {
    fc.assert(
      fc.property(decimals, fc.bigInt({ min: 1n, max: 10n ** 30n }), (places, units) => {
        expect(priceFromBaseUnits(0n, places)).toBe(0)
        expect(priceFromBaseUnits(units, places)).not.toBe(0)
      }),
    )
    expect(priceFromBaseUnits(1n, 18)).toBe(1)
    expect(priceFromBaseUnits(1n, 36)).toBe(1)
  })

  it.each([
    [10_000n, 6, '0.010000'],
    [1n, 6, '0.000001'],
    [5n, 0, '5.000000'],
    [5n, 2, '0.050000'],
    [50_000_000_000_000_000n, 18, '0.050000'],
    [50_000_000_000_000_001n, 18, '0.050001'],
  ])('gives %d units of %d decimals as %s', (units, places, text) => {
    const price = priceFromBaseUnits(units, places)
    expect(price === undefined ? undefined : formatPrice(price)).toBe(text)
  })

  it('gives no price for what cannot be an amount', () => {
    expect(priceFromBaseUnits(-1n, 6)).toBeUndefined()
    expect(priceFromBaseUnits(1n, -1)).toBeUndefined()
    expect(priceFromBaseUnits(1n, 37)).toBeUndefined()
    expect(priceFromBaseUnits(1n, 1.5)).toBeUndefined()
    expect(priceFromBaseUnits(1n, Number.NaN)).toBeUndefined()
    expect(priceFromBaseUnits(BigInt(Number.MAX_SAFE_INTEGER) + 1n, 6)).toBeUndefined()
    expect(priceFromBaseUnits(BigInt(Number.MAX_SAFE_INTEGER), 6)).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('priceFromDecimal', () => {
  it('agrees with the printed form of every price', () => {
    fc.assert(
      fc.property(anyPrice, (price) => {
        expect(priceFromDecimal(formatPrice(price))).toBe(price)
      }),
    )
  })

  it('agrees with base units of as many decimals as were written', () => {
    const written = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^\d{1,30}$/))
    fc.assert(
      fc.property(written, ([whole, fraction]) => {
        expect(priceFromDecimal(`${whole}.${fraction}`)).toBe(
          priceFromBaseUnits(BigInt(`${whole}${fraction}`), fraction.length),
        )
      }),
    )
  })

  it('does not depend on zeros at the end', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(20), (price, zeros) => {
        expect(priceFromDecimal(`${formatPrice(price)}${'0'.repeat(zeros)}`)).toBe(price)
      }),
    )
    expect(priceFromDecimal('0.05')).toBe(50_000)
    expect(priceFromDecimal('5')).toBe(5_000_000)
    expect(priceFromDecimal('0.0000001')).toBe(1)
  })

  it('reads no signs, exponents, separators or other digits', () => {
    const refused = ['', '.5', '5.', '-1', '+1', '1e3', '1,000', '0x10', ' 1', '1 ', '٣', 'NaN', 'Infinity', '1.2.3']
    expect(refused.filter((text) => priceFromDecimal(text) !== undefined)).toEqual([])
  })
})
