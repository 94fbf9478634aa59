import { countIn } from './bytes.ts'
import { MalformedError } from './errors.ts'
import { cutAtEmptyLine, formatHashes, parseHashes } from './hash-lines.ts'

/** The type of an answer that says which size a witness has seen last. */
export const SIZE_TYPE = 'text/x.tlog.size'

/** What a log sends to a witness (`c2sp.org/tlog-witness`). */
export interface AddCheckpoint {
  /** Of the checkpoint that the witness has cosigned last; 0 when there was none. */
  readonly oldSize: number
  /** That the tree of that size is the beginning of the new one; empty when the old size is 0. */
  readonly proof: readonly Uint8Array[]
  /** The signed note. */
  readonly checkpoint: string
}

export const formatAddCheckpoint = ({ oldSize, proof, checkpoint }: AddCheckpoint): string =>
  [`old ${oldSize}`, ...formatHashes(proof), '', checkpoint].join('\n')

export function parseAddCheckpoint(body: string): AddCheckpoint {
  const { lines, rest } = cutAtEmptyLine(body)
  const [old = '', ...hashes] = lines
  if (!old.startsWith('old ')) throw new MalformedError('the first line is not an old size')
  return { oldSize: countIn(old.slice('old '.length), 'the old size'), proof: parseHashes(hashes), checkpoint: rest }
}

/** The size in the body of a 409. */
export const formatSize = (size: number): string => `${size}\n`

export function parseSize(body: string): number {
  if (!body.endsWith('\n')) throw new MalformedError('the size breaks off')
  return countIn(body.slice(0, -1), 'the size')
}
