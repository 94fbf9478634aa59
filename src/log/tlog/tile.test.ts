import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBundle, encodeBundle } from './bundle.ts'
import { MalformedError } from './errors.ts'
import { bundlesOf, parseTilePath, tilePath, tilesOf } from './tile.ts'

describe('the path of a tile', () => {
  it('is that of the examples', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067')
    expect(tilePath({ level: 'entries', index: 0, width: 112 })).toBe('tile/entries/000.p/112')
    expect(tilePath({ level: 63, index: 1000, width: 1 })).toBe('tile/63/x001/000.p/1')
  })

  it('is read back, and read in no other way of writing it', () => {
    const address = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      index: fc.oneof(fc.nat(3000), fc.maxSafeNat()),
      width: fc.integer({ min: 1, max: 256 }),
    })
    fc.assert(
      fc.property(address, (tile) => {
        expect(parseTilePath(tilePath(tile))).toEqual(tile)
      }),
    )
    for (const wrong of [
      'tile/0/0',
      'tile/0/1234',
      'tile/00/000',
      'tile/64/000',
      'tile/0/x000/001',
      'tile/0/x001',
      'tile/0/001/002',
      'tile/0/000.p/0',
      'tile/0/000.p/256',
      'tile/0/000.p/01',
      'tile/0/000.p/',
      'tile/-1/000',
      'tile/entries',
      'tile/other/000',
      '/tile/0/000',
      'tile/0/000/',
      'tile/0/x999/x999/x999/x999/x999/999',
    ])
      expect(() => parseTilePath(wrong), wrong).toThrow(MalformedError)
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789x/.pentrisl') }), (text) => {
        try {
          expect(tilePath(parseTilePath(`tile/${text}`))).toBe(`tile/${text}`)
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedError)
        }
      }),
    )
  })
})

describe('the tiles of a tree', () => {
  it('are those of the example of 70,000 leaves, and of 256', () => {
    const tiles = [...tilesOf(70_000)]
    const partial = tiles.filter(({ width }) => width < 256)
    expect(tiles.filter(({ level, width }) => level === 0 && width === 256)).toHaveLength(273)
    expect(tiles.filter(({ level, width }) => level === 1 && width === 256)).toHaveLength(1)
    expect(partial.map(tilePath)).toEqual(['tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1'])
    expect([...tilesOf(256)].map(tilePath)).toEqual(['tile/0/000', 'tile/1/000.p/1'])
    expect([...bundlesOf(257)].map(tilePath)).toEqual(['tile/entries/000', 'tile/entries/001.p/1'])
    expect([...tilesOf(0), ...bundlesOf(0)]).toEqual([])
  })
})

describe('a bundle of entries', () => {
  it('is read back', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 256 }), (entries) => {
        const bundle = encodeBundle(entries)
        expect(decodeBundle(bundle, entries.length).map((entry) => [...entry])).toEqual(
          entries.map((entry) => [...entry]),
        )
        expect(() => decodeBundle(bundle, entries.length + 1)).toThrow(MalformedError)
        expect(() => decodeBundle(bundle, entries.length - 1)).toThrow(MalformedError)
        expect(() => decodeBundle(bundle.subarray(0, -1), entries.length)).toThrow(MalformedError)
      }),
    )
  })

  it('has the length before each entry, in two bytes, and takes none that is longer', () => {
    expect([...encodeBundle([Uint8Array.of(7, 8), new Uint8Array(0)])]).toEqual([0, 2, 7, 8, 0, 0])
    const longest = new Uint8Array(65_535)
    expect(decodeBundle(encodeBundle([longest]), 1)[0]).toHaveLength(65_535)
    expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow(RangeError)
  })
})
