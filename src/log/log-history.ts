import { sleep } from '../async/sleep.ts'
import type { Store } from '../store/store.ts'
import { countHistory, logHistoryOf, nextHistory } from './stored/history.ts'

/** So often it is told how many hosts are left. */
const TELL_MS = 10_000
/** After trouble with the store. */
const AGAIN_MS = 5000

export interface HistoryListener {
  onProgress(hostsLeft: number): void
  onTrouble(error: unknown): void
}

/** Logs, host by host, what was stored before there was a log. Ends when there is nothing left of it. */
export async function logHistory(store: Store, signal: AbortSignal, told: HistoryListener): Promise<void> {
  let toldMs = Number.NEGATIVE_INFINITY
  let hasBegun = false
  while (!signal.aborted) {
    try {
      const next = await nextHistory(store.read)
      if (next === undefined) break
      hasBegun = true
      if (performance.now() - toldMs >= TELL_MS) {
        toldMs = performance.now()
        told.onProgress(await countHistory(store.read))
      }
      await logHistoryOf(store, next, signal)
    } catch (error) {
      told.onTrouble(error)
      await sleep(AGAIN_MS, signal)
    }
  }
  if (hasBegun && !signal.aborted) told.onProgress(0)
}
