import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withTables } from '../../scripts/write-tables.ts'
import { DEFAULT_INTERVALS, DEFAULT_SOURCES, DEFINITIONS, SELLER_SOURCES, sourceOf } from './source.ts'
import { parseIntervals, parseSources } from './source-settings.ts'
import { sampleOf } from './testing/source-sample.ts'

const kinds = DEFINITIONS.map(({ kind }) => kind)

describe('the kinds of sources', () => {
  it('have names of their own that SOURCES can hold', () => {
    expect(new Set(kinds).size).toBe(kinds.length)
    for (const kind of kinds) expect(kind).toMatch(/^[a-z0-9-]+$/)
  })

  it('have each a sample, without which nobody would fuzz them', async () => {
    for (const kind of kinds) expect((await sampleOf(kind)).items.length, kind).toBeGreaterThan(0)
  })

  it('stand in docs/sources.md as they are defined', () => {
    const page = readFileSync('docs/sources.md', 'utf8')
    expect(page).toBe(withTables('docs/sources.md', page))
    for (const kind of kinds) expect(page).toContain(`| \`${kind}\` |`)
  })

  it('are read as they are defined, under the name and at the address that are configured', () => {
    expect(sourceOf({ name: 'mine', kind: 'file', address: 'a.ndjson' })).toMatchObject({
      name: 'mine',
      path: 'a.ndjson',
    })
    expect(SELLER_SOURCES.map(({ name, paths }) => [name, ...paths])).toEqual([
      ['openapi', '/openapi.json'],
      ['well-known', '/.well-known/x402', '/.well-known/x402.json'],
    ])
    const bazaar = sourceOf({ name: 'b', kind: 'bazaar', address: 'https://f.example' })
    expect(bazaar.shape === 'pages' && bazaar.pageUrl(0)).toMatch(/^https:\/\/f\.example\/discovery\//)
  })
})

describe('the sources that are swept unless others are named', () => {
  it('could be named the same way, each under its own name', () => {
    const text = DEFAULT_SOURCES.map(({ name, kind, address }) => `${name}=${kind}:${address}`).join(',')
    expect(parseSources(text)).toEqual(DEFAULT_SOURCES)
  })

  it('end with sellers’ own documents, which need known hosts and are asked for once a day', () => {
    const shapes = DEFAULT_SOURCES.map((config) => sourceOf(config).shape)
    expect(shapes.lastIndexOf('pages')).toBeLessThan(shapes.indexOf('sellers'))
    expect(DEFAULT_INTERVALS).toBe('1h,openapi=24h,well-known=24h')
    expect(parseIntervals(DEFAULT_INTERVALS)?.ofSource.get('well-known')).toBe(86_400_000)
  })
})
