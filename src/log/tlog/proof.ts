import { equal } from './bytes.ts'
import { hashChildren } from './hash.ts'
import { cutOf, type LeafRange, type ReadTile, TileTree } from './tree.ts'

/** The ranges beside the way from a leaf up to the root (`PATH` of RFC 6962), nearest to the leaf first. */
function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = []
  let from = 0
  let to = size
  while (to - from > 1) {
    const cut = from + cutOf(to - from)
    if (index < cut) {
      ranges.unshift({ from: cut, to })
      to = cut
    } else {
      ranges.unshift({ from, to: cut })
      from = cut
    }
  }
  return ranges
}

/** The ranges that make up the old tree and the rest of the new one (`SUBPROOF` of RFC 6962). */
function consistencyRanges(oldSize: number, newSize: number): LeafRange[] {
  const ranges: LeafRange[] = []
  let from = 0
  let to = newSize
  while (to !== oldSize) {
    const cut = from + cutOf(to - from)
    if (oldSize <= cut) {
      ranges.unshift({ from: cut, to })
      to = cut
    } else {
      ranges.unshift({ from, to: cut })
      from = cut
    }
  }
  // Where the old tree is the left edge of the new one, its root is what the verifier has already.
  return from === 0 ? ranges : [{ from, to }, ...ranges]
}

function hashesOf(readTile: ReadTile, size: number, ranges: readonly LeafRange[]): Promise<Uint8Array[]> {
  const tree = new TileTree(readTile, size)
  return Promise.all(ranges.map((range) => tree.rangeHash(range)))
}

/** The hashes that lead from the leaf at `index` to the root of the tree of `size` leaves. */
export async function inclusionProof(readTile: ReadTile, index: number, size: number): Promise<Uint8Array[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`)
  return hashesOf(readTile, size, inclusionRanges(index, size))
}

/** The hashes that show the tree of `oldSize` leaves to be the beginning of that of `newSize`. */
export async function consistencyProof(readTile: ReadTile, oldSize: number, newSize: number): Promise<Uint8Array[]> {
  if (!(oldSize >= 0 && oldSize <= newSize)) throw new RangeError(`a tree of ${newSize} was never one of ${oldSize}`)
  return oldSize === 0 ? [] : hashesOf(readTile, newSize, consistencyRanges(oldSize, newSize))
}

const isOdd = (count: number): boolean => count % 2 === 1
const half = (count: number): number => Math.floor(count / 2)

/** Whether the proof leads from the leaf at `index` to the root. */
export function verifyInclusion(
  leafHash: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!(index >= 0 && index < size)) return false
  let at = index
  let last = size - 1
  let hash = leafHash
  for (const beside of proof) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      hash = hashChildren(beside, hash)
      while (!isOdd(at) && at !== 0) {
        at = half(at)
        last = half(last)
      }
    } else hash = hashChildren(hash, beside)
    at = half(at)
    last = half(last)
  }
  return last === 0 && equal(hash, root)
}

/** Whether the proof shows that the tree with the old root is the beginning of the tree with the new one. */
export function verifyConsistency(
  oldSize: number,
  newSize: number,
  proof: readonly Uint8Array[],
  oldRoot: Uint8Array,
  newRoot: Uint8Array,
): boolean {
  if (oldSize > newSize) return false
  if (oldSize === newSize) return proof.length === 0 && equal(oldRoot, newRoot)
  if (oldSize === 0) return proof.length === 0
  let at = oldSize - 1
  let last = newSize - 1
  while (isOdd(at)) {
    at = half(at)
    last = half(last)
  }
  const [first, ...others] = at === 0 ? [oldRoot, ...proof] : proof
  if (first === undefined) return false
  let before = first
  let after = first
  for (const beside of others) {
    if (last === 0) return false
    if (isOdd(at) || at === last) {
      before = hashChildren(beside, before)
      after = hashChildren(beside, after)
      while (!isOdd(at) && at !== 0) {
        at = half(at)
        last = half(last)
      }
    } else after = hashChildren(after, beside)
    at = half(at)
    last = half(last)
  }
  return last === 0 && equal(before, oldRoot) && equal(after, newRoot)
}
