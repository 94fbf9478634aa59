import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatManifest, parseManifest, readManifest } from './manifest.ts'

const aFile = fc.record({
  month: fc
    .tuple(fc.integer({ min: 1970, max: 2100 }), fc.integer({ min: 1, max: 12 }))
    .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`),
  file: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
  records: fc.nat(),
  bytes: fc.nat(),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
})

describe('the manifest of an archive', () => {
  it('says the same when it is read, in one order whatever the order of its files', () => {
    fc.assert(
      fc.property(fc.uniqueArray(aFile, { selector: ({ file }) => file }), (files) => {
        const text = formatManifest(files)
        expect(formatManifest(parseManifest(text, 'here'))).toBe(text)
        expect(formatManifest(files.toReversed())).toBe(text)
        expect(parseManifest(text, 'here')).toHaveLength(files.length)
      }),
    )
  })

  it.each(['../secret', '/etc/passwd', '.hidden', 'a/b', ''])('names no file outside of it: %s', (file) => {
    const named = { month: '2025-09', file, records: 1, bytes: 1, sha256: 'a'.repeat(64) }
    const text = JSON.stringify({ kind: 'tollbook-archive', files: [named] })
    expect(() => parseManifest(text, 'here')).toThrow('here is no manifest of an archive')
  })

  it('says of a damaged one where months go what to do about it, and nothing of folders', async () => {
    const place = { name: 's3://months', read: async () => '{"kind":', keep: () => Promise.reject(new Error('kept')) }
    await expect(readManifest(place)).rejects.toMatchObject({
      detail: 's3://months/manifest.json is no manifest of an archive',
      hint: expect.stringContaining('put it back as it was'),
    })
  })

  it('is refused when it is something else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseManifest(text, 'here')).toThrow('no manifest')
      }),
    )
  })
})
