import { parseTimestamp, type TimestampUs } from '../domain/time/timestamp.ts'
import type { Store } from '../store/store.ts'
import { parseEntry } from '../wire/log/entry.ts'
import { readPlaces } from './stored/bundles.ts'
import { readCosignatures, readServed, saveServed } from './stored/tree.ts'

/**
 * So long after it was saved an entry may be missing from the checkpoint that is served, so that witnesses can have cosigned
 * it: they are asked every second, and get two. Of the ten seconds within which everything is in the log, the rest is for
 * appending it.
 */
const STANDS_US = 6_000_000

/** A signed checkpoint, with the cosignatures that there are. */
export interface Checkpoint {
  readonly size: number
  readonly note: string
}

interface Served extends Checkpoint {
  /** Of how many of the witnesses that are asked. */
  readonly cosigned: number
}

export interface ServingOptions {
  readonly store: Store
  /** Names of the witnesses that are asked. */
  readonly witnesses: ReadonlySet<string>
  readonly nowUs: () => TimestampUs
}

/**
 * Which checkpoint is served while the log grows: the newest that its witnesses have cosigned, for as long as it lacks nothing
 * but the newest entries. It is never a smaller one than before, from whichever process that was.
 */
export class Serving {
  #last: Served | null = null

  constructor(readonly options: ServingOptions) {}

  /** Of a log whose newest tree has so many entries; what is signed of it, by size. */
  async choose(headSize: number, sign: (size: number) => Promise<string>): Promise<Checkpoint> {
    const { store, witnesses, nowUs } = this.options
    const cosignatures = await readCosignatures(store.read)
    const signedAt = async (size: number): Promise<Served> => {
      const of = cosignatures.filter((one) => one.size === size)
      return {
        size,
        note: `${await sign(size)}${of.map(({ line }) => line).join('')}`,
        cosigned: of.filter(({ witness }) => witnesses.has(witness)).length,
      }
    }
    const last = this.#last
    const served = await readServed(store.read)
    const least = Math.max(last?.size ?? 0, served <= headSize ? served : 0)
    const standing = least > 0 && (await this.#stands(least, headSize)) ? least : headSize
    let best = last?.size === standing ? last : await signedAt(standing)
    for (const size of new Set(cosignatures.map((one) => one.size))) {
      if (size > headSize || size < least || !(await this.#stands(size, headSize))) continue
      const found = await signedAt(size)
      if (found.cosigned > best.cosigned || (found.cosigned === best.cosigned && found.size >= best.size)) best = found
    }
    // A store that takes no writes is no reason to serve nothing.
    if (best.size > served) await saveServed(store, best.size, nowUs()).catch(() => undefined)
    // Somebody may have been served a longer one meanwhile.
    if (this.#last === null || best.size >= this.#last.size) this.#last = best
    return this.#last
  }

  /** Whether a tree of so many entries lacks none but those that have just been saved. */
  async #stands(size: number, headSize: number): Promise<boolean> {
    if (size >= headSize) return true
    const [missing] = await readPlaces(this.options.store.read, size, 1)
    const savedUs = parseTimestamp((missing === undefined ? undefined : parseEntry(missing))?.at ?? '')
    return savedUs !== undefined && this.options.nowUs() - savedUs <= STANDS_US
  }
}
