import { encodeBundle } from '../bundle.ts'
import { utf8 } from '../bytes.ts'
import { formatCheckpoint } from '../checkpoint.ts'
import { hashLeaf } from '../hash.ts'
import { signNote } from '../note.ts'
import type { NoteSigner } from '../note-key.ts'
import { bundlesOf, tilePath } from '../tile.ts'
import { appendLeaves, type ReadTile } from '../tree.ts'

/** Entries that differ, and in length too. */
export const someEntries = (count: number, from = 0): Uint8Array[] =>
  Array.from({ length: count }, (_, at) => utf8(`{"entry":${from + at},"text":"${'x'.repeat((from + at) % 40)}"}`))

/** A log in memory, kept as files by their paths; partial tiles of former sizes stay. */
export class SmallLog {
  readonly files = new Map<string, Uint8Array>()
  readonly entries: Uint8Array[] = []
  root: Uint8Array = new Uint8Array(0)

  constructor(readonly signer: NoteSigner) {}

  readonly readTile: ReadTile = (level, index, width) => {
    const bytes =
      this.files.get(tilePath({ level, index, width })) ?? this.files.get(tilePath({ level, index, width: 256 }))
    if (bytes === undefined) throw new Error(`no tile ${tilePath({ level, index, width })}`)
    return bytes
  }

  async append(entries: readonly Uint8Array[]): Promise<string> {
    const { size, root, tiles } = await appendLeaves(
      this.readTile,
      this.entries.length,
      entries.map((entry) => hashLeaf(entry)),
    )
    const first = Math.floor(this.entries.length / 256)
    for (const tile of tiles) this.files.set(tilePath(tile), tile.bytes)
    for (const entry of entries) this.entries.push(entry)
    for (const bundle of bundlesOf(size)) {
      if (bundle.index < first) continue
      const from = bundle.index * 256
      this.files.set(tilePath(bundle), encodeBundle(this.entries.slice(from, from + bundle.width)))
    }
    this.root = root
    const checkpoint = await signNote(formatCheckpoint({ origin: this.signer.name, size, root }), this.signer)
    this.files.set('checkpoint', utf8(checkpoint))
    this.files.set('vkey', utf8(`${this.signer.vkey}\n`))
    return checkpoint
  }
}
