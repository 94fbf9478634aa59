import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { Parameters } from './parameters.ts'
import { hostQuery } from './routes/hosts/hosts.ts'

const of = (query: string): Parameters => new Parameters(`http://tollbook.example/?${query}`)

const refused = (query: string): unknown => {
  try {
    return hostQuery(of(query))
  } catch (error) {
    return error instanceof Problem ? [error.status, error.slug, error.more.parameter] : error
  }
}

describe('the parameters of a list', () => {
  it('are all optional, and an empty form field is none', () => {
    const nothing = {
      q: null,
      rail: null,
      network: null,
      maxPrice: null,
      check: null,
      result: null,
      requested: null,
      retired: null,
      sort: 'host',
      limit: 50,
      cursor: null,
    }
    expect(hostQuery(of(''))).toEqual(nothing)
    expect(hostQuery(of('q=&rail=&network=&max_price=&result=&sort=&limit=&cursor='))).toEqual(nothing)
    expect(hostQuery(of('utm_source=x&unknown=1&unknown=2'))).toEqual(nothing)
  })

  it('are read by their own rules', () => {
    const query =
      'q=+weather+&rail=mpp&network=eip155:8453&max_price=0.05&check=differs&result=402-correct&requested=day&retired=only&sort=newest&limit=200&cursor=abc'
    expect(hostQuery(of(query))).toEqual({
      q: 'weather',
      rail: 'mpp',
      network: 'eip155:8453',
      maxPrice: 50_000,
      check: 'differs',
      result: '402-correct',
      requested: 'day',
      retired: 'only',
      sort: 'newest',
      limit: 200,
      cursor: 'abc',
    })
    const algorand = 'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI='
    for (const written of [algorand, encodeURIComponent(algorand)])
      expect(hostQuery(of(`network=${written}`)).network).toBe(algorand)
    expect(hostQuery(of('max_price=5')).maxPrice).toBe(5_000_000)
    expect(hostQuery(of('max_price=0.000001')).maxPrice).toBe(1)
    // As people fill a form in.
    expect(hostQuery(of('max_price=.05&network=base'))).toEqual(hostQuery(of('max_price=+0.05+&network=base+')))
    expect(hostQuery(of('max_price=+&network=+'))).toEqual(hostQuery(of('')))
  })

  it('are sorted as the words of a search ask, unless an order is given', () => {
    expect(hostQuery(of('q=cheap+image+api')).sort).toBe('price')
    expect(hostQuery(of('q=fastest+search')).sort).toBe('latency')
    expect(hostQuery(of('q=image')).sort).toBe('match')
    expect(hostQuery(of('q=cheap+image&sort=match')).sort).toBe('match')
    expect(hostQuery(of('q=cheap+image&sort=newest')).sort).toBe('newest')
  })

  it.each([
    ['limit', '0'],
    ['limit', '201'],
    ['limit', '1e2'],
    ['limit', '-1'],
    ['rail', 'X402'],
    ['requested', 'week'],
    ['network', 'base, solana'],
    ['max_price', '0.0000001'],
    ['max_price', '-1'],
    ['max_price', '.'],
    ['max_price', '5.'],
    ['max_price', '.1234567'],
    ['max_price', '99999999999999999999'],
    ['result', 'ok'],
    ['sort', 'cheapest'],
    ['check', 'yes'],
    ['q', 'a'.repeat(201)],
    ['q', '\u202e'],
  ])('%s cannot be %s', (name, value) => {
    expect(refused(`${name}=${encodeURIComponent(value)}`)).toEqual([400, 'invalid-parameter', name])
  })

  it('are refused when given twice', () => {
    expect(refused('rail=mpp&rail=x402')).toEqual([400, 'invalid-parameter', 'rail'])
  })

  it('are kept for the next page as they were given', () => {
    expect(of('limit=5&path=&cursor=x&other=1').kept(['path', 'rail', 'limit']).toString()).toBe('path=&limit=5')
  })
})
