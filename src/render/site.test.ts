import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLine, hostHref, nextAddress, routeProbesHref, withQuery } from './site.ts'
import { route, SITE } from './testing/sample-views.ts'

describe('a command to copy', () => {
  it('is that of the installed package unless readers sit at a checkout', () => {
    expect(commandLine(SITE, 'verify')).toBe('npx tollbook verify')
    expect(commandLine({ ...SITE, command: 'node bin/tollbook.js' }, 'verify')).toBe('node bin/tollbook.js verify')
  })
})

describe('addresses of this directory', () => {
  it('keep a port readable and leave out members that are null', () => {
    expect(hostHref('api.example.com:8443')).toBe('/hosts/api.example.com:8443')
    expect(hostHref('api.example.com', { view: null, cursor: 'a b&c' })).toBe('/hosts/api.example.com?cursor=a+b%26c')
    expect(withQuery('/x', { a: null })).toBe('/x')
  })

  it('write whatever is asked for as `URLSearchParams` does', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('/v1/x', "it's (so) ~!*", 'a b%20c', '\ud800'))
    fc.assert(
      fc.property(fc.dictionary(text, text), (query) => {
        const written = new URLSearchParams(Object.entries(query)).toString()
        expect(withQuery('/x', query)).toBe(written === '' ? '/x' : `/x?${written}`)
      }),
      { numRuns: 1000 },
    )
  })

  it('carry a path with any characters as one query value', () => {
    const path = '/a?b=c&d=%7Bid%7D#"\'<é'
    const href = routeProbesHref('api.example.com', route(path))
    expect(new URL(href, SITE.baseUrl).searchParams.get('path')).toBe(path)
    expect(new URL(href, SITE.baseUrl).hash).toBe('')
  })

  it('continue a page with the query it was asked with, and end with null', () => {
    const query = new URLSearchParams({ limit: '10', path: '/v1/x', cursor: 'old' })
    expect(nextAddress(SITE, '/v1/hosts/a.example/probes', query, 'new')).toBe(
      'https://tollbook.example/v1/hosts/a.example/probes?limit=10&path=%2Fv1%2Fx&cursor=new',
    )
    expect(query.get('cursor')).toBe('old')
    expect(nextAddress(SITE, '/v1/hosts', query, null)).toBeNull()
  })
})
