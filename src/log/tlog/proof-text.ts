import { countIn, fromBase64, toBase64 } from './bytes.ts'
import { MalformedError } from './errors.ts'
import { cutAtEmptyLine, formatHashes, parseHashes } from './hash-lines.ts'

const HEADER = 'c2sp.org/tlog-proof@v1'

/** That an entry is in a log, to be checked without asking anybody (`c2sp.org/tlog-proof`). */
export interface LoggedProof {
  readonly index: number
  /** From the leaf's sibling up. */
  readonly hashes: readonly Uint8Array[]
  /** The signed note, as the log gave it. */
  readonly checkpoint: string
  /** Of the application, and vouched for by nobody. */
  readonly extra?: Uint8Array
}

export function formatProof({ index, hashes, checkpoint, extra }: LoggedProof): string {
  const aside = extra === undefined ? [] : [`extra ${toBase64(extra)}`]
  return [HEADER, ...aside, `index ${index}`, ...formatHashes(hashes), '', checkpoint].join('\n')
}

export function parseProof(text: string): LoggedProof {
  const { lines, rest } = cutAtEmptyLine(text)
  const [header, second = '', ...others] = lines
  if (header !== HEADER) throw new MalformedError(`the first line is not ${HEADER}`)
  const extra = second.startsWith('extra ') ? fromBase64(second.slice('extra '.length)) : undefined
  const [line = '', ...hashes] = extra === undefined ? [second, ...others] : others
  if (!line.startsWith('index ')) throw new MalformedError('the proof names no index')
  const index = countIn(line.slice('index '.length), 'the index of the proof')
  return { index, hashes: parseHashes(hashes), checkpoint: rest, ...(extra === undefined ? {} : { extra }) }
}
