import { describe, expect, it } from 'vitest'
import { index402PageUrl, index402Paging, parseIndex402 } from './402index.ts'
import { index402Page } from './testing/402index.ts'

const [row] = index402Page.services
const parse = (...services: unknown[]) => parseIndex402({ services, total: services.length }, { allow: [] })

describe('parseIndex402', () => {
  it('takes x402 and MPP rows with dollars as written, and skips L402', () => {
    const found = parse(
      row,
      { ...row, protocol: 'MPP', price_usd: '0.0000001', payment_network: null },
      { ...row, protocol: 'L402' },
    )
    expect(found.listings.map(({ rail, price, network }) => [rail, price, network])).toEqual([
      ['x402', 1_000, 'base'],
      ['mpp', 1, null],
    ])
    expect(found.refused.map(({ reason }) => reason)).toEqual(['other_protocol'])
  })

  it('reads a small price as programs write it, as a number or as text', () => {
    const prices = [0.00001, '0.00001', '1e-05', '1E-5', '2.5e-3']
    expect(
      parse(
        ...prices.map((price_usd) => ({
          ...row,
          price_usd,
          url: `https://a.example/${typeof price_usd}/${price_usd}`,
        })),
      ),
    ).toMatchObject({
      listings: [10, 10, 10, 10, 2_500].map((price) => ({ price })),
    })
  })

  it('keeps a row without a price or a method, and says which is missing', () => {
    expect(parse({ ...row, price_usd: null, http_method: null }).listings).toMatchObject([
      { price: null, method: 'GET', methodStated: false },
    ])
  })

  it('refuses a row without address or protocol and keeps the rest', () => {
    const found = parse({ ...row, url: 7 }, { ...row, protocol: undefined }, [], row)
    expect(found.refused.map(({ reason }) => reason)).toEqual(['bad_item', 'unknown_rail', 'bad_item'])
    expect(found.listings).toHaveLength(1)
  })

  it('pages by two hundred', () => {
    expect(index402PageUrl('https://402.example/api/v1/services', 200)).toBe(
      'https://402.example/api/v1/services?limit=200&offset=200',
    )
    expect(index402Paging({ ...index402Page, total: 900 })).toEqual({
      items: 1,
      total: 900,
      limit: index402Page.limit,
      names: [row?.id],
      hasMore: false,
    })
  })
})
