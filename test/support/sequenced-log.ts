import { Sequencer } from '../../src/log/sequencer.ts'
import { readPlaces } from '../../src/log/stored/bundles.ts'
import { readTreeHead } from '../../src/log/stored/tree.ts'
import { appendLeaves, hashLeaf, toBase64, utf8 } from '../../src/log/tlog/index.ts'
import type { Store } from '../../src/store/store.ts'
import { NOON_US } from './samples.ts'

export const DAY_US = 86_400_000_000

export const sequencerOf = (store: Store, by = 'one', now = { us: NOON_US }): Sequencer =>
  new Sequencer({
    ...{ store, by, nowUs: () => now.us++, mayGrow: async () => true },
    onTrouble: (error) => {
      throw error
    },
  })

/** Appends all that waits. */
export async function growLog(store: Store): Promise<void> {
  const sequencer = sequencerOf(store, 'test')
  while ((await sequencer.step()) > 0);
}

/** Everything that the log says, entry by entry, after all that waits was appended. */
export async function loggedIn(store: Store): Promise<string[]> {
  // After the end of every lease that a test has left.
  const sequencer = sequencerOf(store, 'the last', { us: NOON_US + 1_000 * DAY_US })
  while ((await sequencer.step()) > 0);
  const { size } = await readTreeHead(store.read)
  return readPlaces(store.read, 0, size)
}

/** The root that RFC 6962 gives to these entries. */
export const rootOf = async (entries: readonly string[]): Promise<string> => {
  const none = () => new Uint8Array(0)
  const { root } = await appendLeaves(
    none,
    0,
    entries.map((entry) => hashLeaf(utf8(entry))),
  )
  return toBase64(root)
}
