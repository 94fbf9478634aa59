import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseFile } from './file.ts'
import { fileRecord } from './testing/file.ts'

const parse = (...lines: string[]) =>
  parseFile(
    lines.map((text, index) => ({ number: index + 1, text })),
    { allow: [] },
  )

describe('parseFile', () => {
  it('reads the line that docs/sources.md shows', () => {
    const shown = /```json\n(.*)\n```/.exec(readFileSync('docs/sources.md', 'utf8'))?.[1] ?? ''
    expect(parse(shown)).toMatchObject({ refused: [], listings: [{ price: 10_000, network: 'base' }] })
  })

  it('reads a full listing record, and one with only what an operator must say', () => {
    const short = { method: 'POST', url: 'https://api.mine.example/v1/y', rail: 'mpp' }
    const { listings } = parse(JSON.stringify(fileRecord), '', JSON.stringify(short))
    expect(listings).toMatchObject([
      { method: 'GET', rail: 'x402', price: 10_000, network: 'base', methodStated: true },
      { method: 'POST', rail: 'mpp', price: null, network: null },
    ])
  })

  it('refuses an address with bytes that are no UTF-8, and keeps the others', () => {
    const garbled = Buffer.from(JSON.stringify({ ...fileRecord, url: 'https://api.mine.example/\u00e9' }), 'latin1')
    const plain = JSON.stringify({ ...fileRecord, url: 'https://api.mine.example/\u00e9' })
    const found = parse(garbled.toString('utf8'), plain)
    expect(found.listings.map(({ address }) => address.path)).toEqual(['/\u00e9'])
    expect(found.refused).toMatchObject([
      { reason: 'bad_record', item: expect.stringMatching(/^line 1: bytes that are no UTF-8: https:/) },
    ])
  })

  it('passes over the byte order mark of a file, and over none within it', () => {
    const line = JSON.stringify(fileRecord)
    expect(parse(`\uFEFF${line}`)).toMatchObject({ refused: [], listings: [{ price: 10_000 }] })
    expect(parse('\uFEFF', `\uFEFF${line}`).refused).toMatchObject([{ reason: 'bad_record' }])
  })

  it('refuses a bad line with its number and what is wrong, and keeps the others', () => {
    const found = parse(
      '{"kind":"listing"',
      JSON.stringify({ ...fileRecord, price: '0.01' }),
      JSON.stringify({ ...fileRecord, colour: 'red' }),
      JSON.stringify({ kind: 'probe' }),
      JSON.stringify(fileRecord),
    )
    expect(found.refused.map(({ reason }) => reason)).toEqual([
      'bad_record',
      'bad_record',
      'bad_record',
      'not_a_listing',
    ])
    expect(found.refused[0]?.item).toBe('line 1: not a JSON object')
    expect(found.refused[1]?.item).toContain('line 2: price')
    expect(found.listings).toHaveLength(1)
  })
})
