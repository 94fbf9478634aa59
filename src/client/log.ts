import { fillPath, PATHS } from '../wire/paths.ts'
import { readIn, textIn } from './answers/read.ts'
import { ask } from './ask.ts'
import type { Connection } from './connection.ts'
import { UnreadableError } from './problem.ts'

/** Entries of a full bundle. */
const WIDTH = 256
/** Of a full bundle of the longest entries, each behind its length. */
const MOST_BYTES = WIDTH * (2 + 0xffff)

/** One entry of the evidence log, as it was logged. */
export interface LogEntry {
  readonly v: number
  readonly at: string
  /** `null`: it is about no host. */
  readonly host: string | null
  readonly imported?: true
  readonly records: readonly { readonly kind: string; readonly [name: string]: unknown }[]
}

/** Reads the evidence log of a directory. Nothing of it is verified here: `/log/verify.mjs` and `tollbook audit` do that. */
export function logOf(to: Connection) {
  const textAt = (path: string): Promise<string> => ask(to, path, {}, textIn)
  const checkpoint = (): Promise<string> => textAt(PATHS.logCheckpoint)
  return {
    /** The newest checkpoint: a signed note of origin, size and root, with the cosignatures of witnesses. */
    checkpoint,
    /** That an entry is in the log, with its checkpoint: a text to keep, which is checked without asking anybody. */
    proof: (index: number): Promise<string> => textAt(fillPath(PATHS.logProof, { index: String(index) })),
    /** What the log says at a place, such as that of `log.index` beside a piece of evidence. */
    entry: async (index: number): Promise<LogEntry> => {
      const size = Number((await checkpoint()).split('\n')[1])
      const bundle = Math.floor(index / WIDTH)
      const tile = bundlePath(bundle, size - bundle * WIDTH)
      return ask(to, fillPath(PATHS.logTile, { tile }, String), {}, async (answer) =>
        entryIn(await readIn(answer, MOST_BYTES, bytesOf), index % WIDTH, answer.status),
      )
    },
  }
}

const bytesOf = async (body: Response): Promise<Uint8Array> => new Uint8Array(await body.arrayBuffer())

/** In groups of three digits, all but the last marked; a bundle that is not full says how many entries it has. */
function bundlePath(index: number, left: number): string {
  const groups =
    String(index)
      .padStart(Math.ceil(String(index).length / 3) * 3, '0')
      .match(/\d{3}/g) ?? []
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `entries/${path}${left < WIDTH ? `.p/${Math.max(left, 1)}` : ''}`
}

/** Each entry stands behind its length in two bytes. */
function entryIn(bytes: Uint8Array, place: number, status: number): LogEntry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    let at = 0
    for (let n = 0; n < place; n += 1) at += 2 + view.getUint16(at)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at + 2, at + 2 + view.getUint16(at)))
    const entry: unknown = JSON.parse(text)
    if (isEntry(entry)) return entry
  } catch (error) {
    throw new UnreadableError(status, error)
  }
  throw new UnreadableError(status, new TypeError('it is no entry of a log'))
}

const isEntry = (value: unknown): value is LogEntry =>
  typeof value === 'object' && value !== null && 'records' in value && Array.isArray(value.records) && 'at' in value
