import { type NoteSigner, textOf, utf8 } from '../../src/log/tlog/index.ts'
import { SmallLog } from '../../src/log/tlog/testing/small-log.ts'
import type { Seeded } from '../../test/crash/seeded.ts'
import type { Tampering } from './tamper.ts'

/** A second log of one size and one key, as it is shown to one reader and not to the others. */
export interface SplitLog extends Tampering {
  readonly log: SmallLog
  readonly note: string
}

/** One entry of the log says something else in it; all of it fits together. */
export async function splitLog(entries: readonly string[], signer: NoteSigner, random: Seeded): Promise<SplitLog> {
  const at = random.between(0, entries.length - 1)
  const log = new SmallLog(signer)
  const note = await log.append(
    entries.map((entry, n) => utf8(n === at ? entry.replace('{"at":"2', '{"at":"1') : entry)),
  )
  return {
    ...{ kind: 'split views', what: `entry ${at} for one reader`, log, note },
    answer: (path, bytes) => {
      const own = log.files.get(path.replace(/^\/log\//, ''))
      return own === undefined ? bytes : Buffer.from(own)
    },
  }
}

/** A checkpoint of another root, signed by the log's own key. */
export async function forgedCheckpoint(
  entries: readonly string[],
  signer: NoteSigner,
  random: Seeded,
): Promise<Tampering> {
  const { log, what } = await splitLog(entries, signer, random)
  const forged = Buffer.from(textOf(log.files.get('checkpoint') ?? new Uint8Array(0)))
  return {
    ...{ kind: 'checkpoints signed for another tree', what },
    answer: (path, bytes) => (path === '/log/checkpoint' ? forged : bytes),
  }
}
