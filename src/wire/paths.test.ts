import { describe, expect, it } from 'vitest'
import { fillPath, PATHS, parametersIn } from './paths.ts'

describe('a path', () => {
  it('is filled in with what its parameters name, a port readable', () => {
    expect(fillPath(PATHS.apiHostProbes, { host: 'api.example.com:8443' })).toBe(
      '/v1/hosts/api.example.com:8443/probes',
    )
    expect(fillPath(PATHS.review, { id: 'a1b2' })).toBe('/v1/reviews/a1b2')
    expect(fillPath(PATHS.policy, {})).toBe('/policy')
  })

  it('keeps whatever is filled in within one segment', () => {
    expect(fillPath(PATHS.problem, { slug: '../a?b#c/{slug}' })).toBe('/problems/..%2Fa%3Fb%23c%2F%7Bslug%7D')
    expect(fillPath(PATHS.host, { host: 'a:1' }, encodeURIComponent)).toBe('/hosts/a%3A1')
    expect(fillPath(PATHS.post, { id: '$&$1' })).toBe('/v1/posts/%24%26%241')
  })

  it('tells its parameters', () => {
    expect(parametersIn(PATHS.route)).toEqual(['host'])
    expect(parametersIn(PATHS.home)).toEqual([])
  })

  it('stands for one address only', () => {
    const shapes = Object.values(PATHS).map((template) => template.replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
  })
})
