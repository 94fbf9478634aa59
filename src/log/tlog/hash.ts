import { sha256 } from './sha256.ts'

/** Bytes of a hash. */
export const HASH = 32
const LEAF = 0x00
const NODE = 0x01

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array(0))

/** Where an entry is put behind its first byte: making room for each anew takes longer than hashing it. */
let room = new Uint8Array(65_536)

/** The hash of an entry as a leaf (RFC 6962, section 2.1). */
export function hashLeaf(entry: Uint8Array): Uint8Array {
  if (room.length <= entry.length) room = new Uint8Array(entry.length + 1)
  room[0] = LEAF
  room.set(entry, 1)
  return sha256(room.subarray(0, entry.length + 1))
}

const pair = new Uint8Array(1 + 2 * HASH)
pair[0] = NODE

export function hashChildren(left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1)
  pair.set(right, 1 + HASH)
  return sha256(pair)
}

/** The root over a row of 1, 2, 4, … hashes, one after the other. */
export function rootOfRow(row: Uint8Array): Uint8Array {
  let below = row
  while (below.length > HASH) {
    const above = new Uint8Array(below.length / 2)
    for (let at = 0; at < above.length; at += HASH) {
      pair.set(below.subarray(2 * at, 2 * at + 2 * HASH), 1)
      sha256(pair, above, at)
    }
    below = above
  }
  return below
}
