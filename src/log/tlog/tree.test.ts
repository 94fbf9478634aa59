import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { MalformedError } from './errors.ts'
import { EMPTY_ROOT, hashLeaf } from './hash.ts'
import { type NoteSigner, newSigner } from './note-key.ts'
import { consistencyProof, inclusionProof, verifyConsistency, verifyInclusion } from './proof.ts'
import { MTH, PATH, PROOF } from './testing/rfc6962.ts'
import { SmallLog, someEntries } from './testing/small-log.ts'
import { tilesOf } from './tile.ts'
import { appendLeaves, treeHash } from './tree.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

let signer: NoteSigner
beforeAll(async () => {
  signer = await newSigner(new Uint8Array(32).fill(1), 'log.example')
})

/** Sizes at which something happens, and any others; three levels of tiles begin at 65,536. */
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.constantFrom(255, 256, 257, 511, 512, 513),
  fc.integer({ min: 1, max: 1500 }),
)

/** A log that came to its size in steps. */
async function grown(size: number, steps: readonly number[] = []): Promise<SmallLog> {
  const log = new SmallLog(signer)
  for (const step of [...steps, size]) {
    const more = Math.min(step, size - log.entries.length)
    if (more > 0) await log.append(someEntries(more, log.entries.length))
  }
  return log
}

describe('a tree in tiles', () => {
  it('has the roots that implementations of RFC 6962 agree on', async () => {
    const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]
    const log = new SmallLog(signer)
    for (const [at, leaf] of leaves.entries()) {
      await log.append([Buffer.from(leaf, 'hex')])
      expect(hex(log.root)).toBe(roots[at])
    }
    expect(hex(EMPTY_ROOT)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(await treeHash(log.readTile, 0)).toEqual(EMPTY_ROOT)
  })

  it('hashes leaves of any length, one after the other', () => {
    for (const length of [0, 1, 65_535, 70_000, 3]) {
      const entry = new Uint8Array(length).fill(length)
      expect(hex(hashLeaf(entry))).toBe(hex(MTH([entry])))
    }
  })

  it('has the root of RFC 6962, however it grew, and keeps the roots of all its former sizes', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 5 }), async (size, steps) => {
        const log = await grown(size, steps)
        expect(hex(log.root)).toBe(hex(MTH(log.entries)))
        for (const tile of tilesOf(size))
          expect(log.readTile(tile.level, tile.index, tile.width)).toHaveLength(tile.width * 32)
        const former = Math.ceil(size / 3)
        const whole = await grown(size)
        const before = await grown(former)
        expect(hex(await treeHash(before.readTile, former))).toBe(hex(MTH(log.entries.slice(0, former))))
        expect(hex(whole.root)).toBe(hex(log.root))
      }),
      { numRuns: 40 },
    )
  })

  it('proves what RFC 6962 proves, and the proofs hold', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, first, second) => {
        const log = await grown(size)
        const index = first % size
        const oldSize = second % (size + 1)
        const inclusion = await inclusionProof(log.readTile, index, size)
        expect(inclusion.map(hex)).toEqual(PATH(index, log.entries).map(hex))
        const leaf = hashLeaf(log.entries[index] ?? new Uint8Array(0))
        expect(verifyInclusion(leaf, index, size, inclusion, log.root)).toBe(true)
        const consistency = await consistencyProof(log.readTile, oldSize, size)
        expect(consistency.map(hex)).toEqual(oldSize === 0 ? [] : PROOF(oldSize, log.entries).map(hex))
        const oldRoot = MTH(log.entries.slice(0, oldSize))
        expect(verifyConsistency(oldSize, size, consistency, oldRoot, log.root)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('proves nothing that is not so: any bit, place, size or hash changed is noticed', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), fc.nat(), async (size, first, second, bit) => {
        const log = await grown(size)
        const index = first % size
        const oldSize = 1 + (second % size)
        const leaf = hashLeaf(log.entries[index] ?? new Uint8Array(0))
        const oldRoot = MTH(log.entries.slice(0, oldSize))
        const inclusion = await inclusionProof(log.readTile, index, size)
        const consistency = await consistencyProof(log.readTile, oldSize, size)
        const flipped = (hash: Uint8Array) =>
          hash.map((byte, at) => (at === (bit >> 3) % 32 ? byte ^ (1 << (bit % 8)) : byte))
        expect(verifyInclusion(flipped(leaf), index, size, inclusion, log.root)).toBe(false)
        expect(verifyInclusion(leaf, index, size, inclusion, flipped(log.root))).toBe(false)
        expect(verifyInclusion(leaf, index, size, [...inclusion, leaf], log.root)).toBe(false)
        expect(verifyInclusion(leaf, (index + 1) % (size + 1), size, inclusion, log.root)).toBe(false)
        for (const at of inclusion.keys()) {
          expect(verifyInclusion(leaf, index, size, inclusion.with(at, flipped(inclusion[at] ?? leaf)), log.root)).toBe(
            false,
          )
          expect(verifyInclusion(leaf, index, size, inclusion.toSpliced(at, 1), log.root)).toBe(false)
        }
        expect(verifyConsistency(oldSize, size, consistency, flipped(oldRoot), log.root)).toBe(false)
        expect(verifyConsistency(oldSize, size, consistency, oldRoot, flipped(log.root))).toBe(false)
        expect(verifyConsistency(oldSize, size, [...consistency, leaf], oldRoot, log.root)).toBe(false)
        for (const at of consistency.keys()) {
          const other = consistency.with(at, flipped(consistency[at] ?? leaf))
          expect(verifyConsistency(oldSize, size, other, oldRoot, log.root)).toBe(false)
          expect(verifyConsistency(oldSize, size, consistency.toSpliced(at, 1), oldRoot, log.root)).toBe(false)
        }
        if (oldSize < size) expect(verifyConsistency(size, oldSize, consistency, log.root, oldRoot)).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  it('reads few tiles, each of them once, to grow and to prove, with three levels of tiles', async () => {
    const log = await grown(70_000)
    const read: string[] = []
    const readTile = (level: number, index: number, width: number) => {
      read.push(`${level}/${index}:${width}`)
      return log.readTile(level, index, width)
    }
    const { root } = await appendLeaves(readTile, 70_000, [hashLeaf(Buffer.from('one more'))])
    expect(read.sort()).toEqual(['0/273:112', '1/1:17', '2/0:1'])
    read.length = 0
    const proof = await inclusionProof(readTile, 12_345, 70_000)
    expect(read.sort()).toEqual(['0/273:112', '0/48:256', '1/0:256', '1/1:17'])
    expect(verifyInclusion(hashLeaf(log.entries[12_345] ?? root), 12_345, 70_000, proof, log.root)).toBe(true)
    await log.append([Buffer.from('one more')])
    expect(hex(log.root)).toBe(hex(root))
    const consistency = await consistencyProof(log.readTile, 70_000, 70_001)
    expect(verifyConsistency(70_000, 70_001, consistency, await treeHash(log.readTile, 70_000), root)).toBe(true)
  }, 60_000)

  it('refuses a row of another length, a leaf it does not have, and a past it never had', async () => {
    const log = await grown(300)
    await expect(
      treeHash(
        (...address) =>
          [log.readTile(...address)].map((row) => new Uint8Array(row instanceof Uint8Array ? row.length - 32 : 0))[0] ??
          new Uint8Array(0),
        300,
      ),
    ).rejects.toThrow(MalformedError)
    await expect(inclusionProof(log.readTile, 300, 300)).rejects.toThrow(RangeError)
    await expect(consistencyProof(log.readTile, 301, 300)).rejects.toThrow(RangeError)
  })
})
