import type { Logger } from 'pino'
import { sleep } from '../async/sleep.ts'
import { Problem } from '../domain/problem.ts'
import { failureFields } from '../domain/store-trouble.ts'
import { countHistory } from '../log/stored/history.ts'
import type { Store } from '../store/store.ts'
import { foldOld } from './archive/fold-old.ts'
import type { Config } from './config.ts'

const DAY_MS = 86_400_000
/** After it could not be done, or while another program is at it. */
const AGAIN_MS = 3_600_000
/** What is still to be logged entry by entry is not folded before. */
const HISTORY_MS = 60_000

/** Removes old entries once a day, after archiving and folding them, and gives their room back to the disk. */
export async function retainDaily(config: Config, store: Store, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    let restMs = DAY_MS
    try {
      if ((await countHistory(store.read)) > 0) {
        await sleep(HISTORY_MS, signal)
        continue
      }
      const { entries, files } = await foldOld(config, store, { signal })
      for (const { file, records, bytes } of files) log.info({ file, records, bytes }, 'old entries archived')
      if (entries > 0) log.info({ entries }, 'old entries folded')
    } catch (error) {
      if (signal.aborted) return
      restMs = AGAIN_MS
      // Another program is at it, and does the rest too.
      if (error instanceof Problem && error.status === 409) log.info({ reason: error.detail }, 'old entries are left')
      else
        log.error(
          error instanceof Problem ? { reason: error.detail } : failureFields(error),
          'old entries could not be folded',
        )
    }
    await sleep(restMs, signal)
  }
}
