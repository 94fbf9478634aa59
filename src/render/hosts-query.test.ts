import { describe, expect, it } from 'vitest'
import { conditions, homeHref, hostsQuery, listTitle } from './hosts-query.ts'
import { homeView } from './testing/sample-views.ts'

const all = {
  ...homeView([]).query,
  q: 'a&b',
  rail: 'mpp',
  network: 'tempo:4217',
  maxPrice: 50_000,
  result: '402-correct',
  sort: 'routes',
  limit: 20,
} as const

describe('the query of a list of hosts', () => {
  it('is written with every condition, the sort and a limit of its own, and without the cursor', () => {
    expect(hostsQuery({ ...all, cursor: 'x' }).toString()).toBe(
      'q=a%26b&rail=mpp&network=tempo%3A4217&max_price=0.050000&result=402-correct&sort=routes&limit=20',
    )
    expect(hostsQuery(homeView([]).query).toString()).toBe('sort=newest')
  })

  it('names each condition with the address that leaves just this one out', () => {
    const named = conditions(all)
    expect(named).toHaveLength(5)
    expect(named[1]?.words).toBe('rail mpp')
    expect(homeHref(named[1]?.without ?? all)).toBe(
      '/?q=a%26b&network=tempo%3A4217&max_price=0.050000&result=402-correct&sort=routes&limit=20',
    )
    expect(conditions(homeView([]).query)).toEqual([])
    // What a list is of is no condition of a route.
    expect(conditions({ ...homeView([]).query, retired: 'only' })).toEqual([])
    expect(conditions({ ...all, retired: 'with' })[1]?.without.retired).toBe('with')
  })

  it('titles the page with what tells it from others', () => {
    const plain = homeView([]).query
    expect(listTitle(plain)).toBeNull()
    expect(listTitle({ ...plain, q: 'weather', network: 'base' })).toBe('“weather” · base · Hosts')
    expect(listTitle({ ...plain, maxPrice: 50_000, check: 'verified', retired: 'only' })).toBe(
      'at most 0.050000 · verified · Retired hosts',
    )
    expect(listTitle({ ...plain, q: 'weather', cursor: 'x' })).toBe('“weather” · Hosts · further on')
    expect(listTitle({ ...plain, cursor: 'x' })).toBe('Hosts · further on')
    expect(listTitle({ ...plain, q: 'a.example” · verified · “' })).toBe('“a.example    verified    ” · Hosts')
  })
})
