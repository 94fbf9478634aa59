import { describe, expect, it } from 'vitest'
import { Parameters } from '../../parameters.ts'
import { hostQuery } from './hosts.ts'

const sortOf = (query: string) => hostQuery(new Parameters(`http://tollbook.example/?${query}`)).sort

describe('the order of a list of hosts', () => {
  it.each([
    ['', 'host'],
    ['q=', 'host'],
    ['q=weather', 'match'],
    ['q=weather&sort=match', 'match'],
    ['q=weather&sort=host', 'host'],
    ['sort=match', 'host'],
    ['sort=newest', 'newest'],
  ])('of ?%s is %s', (query, sort) => {
    expect(sortOf(query)).toBe(sort)
  })
})
