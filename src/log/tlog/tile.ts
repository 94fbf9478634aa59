import { countIn } from './bytes.ts'
import { MalformedError } from './errors.ts'

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256
const HIGHEST_LEVEL = 63

/** Level 0 holds the hashes of leaves, each level above the roots of full tiles below; `entries` the entries themselves. */
export type TileLevel = number | 'entries'

export interface TileAddress {
  readonly level: TileLevel
  readonly index: number
  /** How many of its 256 places are taken. */
  readonly width: number
}

/** `tile/<L>/<N>[.p/<W>]`, where 1234067 is written `x001/x234/067`. */
export function tilePath({ level, index, width }: TileAddress): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? []
  const number = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${number}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/

/** Reads what `tilePath` writes, and no other way to write it. */
export function parseTilePath(path: string): TileAddress {
  const [, level = '', number = '', width] = PATH.exec(path) ?? []
  const digits = number.replace(/x|\//g, '').replace(/^0+(?=\d)/, '')
  if (level === '' || digits === '') throw new MalformedError('not the path of a tile')
  const address: TileAddress = {
    level: level === 'entries' ? level : countIn(level, 'the level'),
    index: countIn(digits, 'the index'),
    width: width === undefined ? TILE_WIDTH : countIn(width, 'the width'),
  }
  const isTooHigh = address.level !== 'entries' && address.level > HIGHEST_LEVEL
  if (isTooHigh || address.width === 0 || address.width > TILE_WIDTH || tilePath(address) !== path)
    throw new MalformedError('not the path of a tile')
  return address
}

/** How many hashes a level has in a tree of this size. */
export const hashesAt = (level: TileLevel, size: number): number =>
  level === 'entries' ? size : Math.floor(size / TILE_WIDTH ** level)

/** How much of a tile a tree of this size has: 0 to 256. */
export const widthAt = (level: TileLevel, index: number, size: number): number =>
  Math.max(0, Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH))

/** Every tile of a tree of this size, level by level, without the bundles of entries. */
export function* tilesOf(size: number): Generator<TileAddress & { readonly level: number }> {
  for (let level = 0; hashesAt(level, size) > 0; level++) yield* rowOf(level, size)
}

/** Every bundle of entries of a tree of this size. */
export const bundlesOf = (size: number): Generator<TileAddress & { readonly level: 'entries' }> =>
  rowOf('entries', size)

function* rowOf<Level extends TileLevel>(level: Level, size: number) {
  for (let index = 0; widthAt(level, index, size) > 0; index++)
    yield { level, index, width: widthAt(level, index, size) }
}
