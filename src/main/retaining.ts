import type { Logger } from 'pino'
import { sleep } from '../async/sleep.ts'
import { countHistory } from '../log/stored/history.ts'
import { retain } from '../store/probes/retention.ts'
import type { Store } from '../store/store.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'

const DAY_MS = 86_400_000
/** What is still to be logged entry by entry is not folded before. */
const HISTORY_MS = 60_000

/** Removes old entries once a day, after folding them into the counters, and gives their room back to the disk. */
export async function retainDaily(config: Config, store: Store, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    try {
      if ((await countHistory(store.read)) > 0) {
        await sleep(HISTORY_MS, signal)
        continue
      }
      const { entries } = await retain(store, nowUs(), config.keepDays)
      if (entries > 0) {
        log.info({ entries }, 'old entries folded')
        await store.shrink()
      }
    } catch (error) {
      log.error({ err: error }, 'old entries could not be folded')
    }
    await sleep(DAY_MS, signal)
  }
}
