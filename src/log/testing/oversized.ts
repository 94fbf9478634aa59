import type { Store } from '../../store/store.ts'
import { storedTiles } from '../sequencer.ts'
import { readTreeHead, saveGrown } from '../stored/tree.ts'
import { appendLeaves, hashLeaf, LONGEST_ENTRY, toBase64, utf8 } from '../tlog/index.ts'

/** One byte more than a bundle has room for. */
export const OVERSIZED: string = `{"at":"","host":null,"records":[],"v":1}`.padEnd(LONGEST_ENTRY + 1)

/** Has the entry wait for its place in the log; answers its number. */
export const enqueue = (store: Store, body: string): Promise<number> =>
  store.write(async (writer) => {
    const { blocks } = await store.dialect.entryIds(writer, 1)
    const entry_id = blocks[0]?.first ?? -1
    await writer.insertInto('log_entries').values({ entry_id, host_id: null, body }).execute()
    return entry_id
  })

/** As versions did that had no bound: it gets the next place whatever its length. */
export async function sequenceOversized(store: Store, nowUs: number): Promise<void> {
  const id = await enqueue(store, OVERSIZED)
  const before = await readTreeHead(store.read)
  const grown = await appendLeaves(storedTiles(store), before.size, [hashLeaf(utf8(OVERSIZED))])
  await saveGrown(store, {
    ...{ by: 'test', nowUs, leaseUntilUs: nowUs, before, entryIds: [id] },
    after: { size: grown.size, root: toBase64(grown.root), settledId: Math.max(before.settledId, id) },
    tiles: grown.tiles.map(({ level, index, bytes }) => ({ level, index, hashes: toBase64(bytes) })),
  })
}
