import { countIn, fromBase64, toBase64 } from './bytes.ts'
import { MalformedError, UntrustedError } from './errors.ts'
import { HASH } from './hash.ts'
import { type NoteSignature, openNote } from './note.ts'
import type { NoteVerifier } from './note-key.ts'

/** A tree's head: which log, how many leaves, which root. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
  /** Lines of the log's own, which nothing here reads. */
  readonly extensions: readonly string[]
}

/** The text of the note, with the newline at its end. */
export function formatCheckpoint({
  origin,
  size,
  root,
  extensions = [],
}: Omit<Checkpoint, 'extensions'> & Partial<Checkpoint>): string {
  if (!Number.isSafeInteger(size) || size < 0 || root.length !== HASH) throw new RangeError('no head of a tree')
  const lines = [origin, String(size), toBase64(root), ...extensions]
  if (lines.some((line) => line === '' || line.includes('\n')))
    throw new RangeError('a line of a checkpoint is not empty')
  return `${lines.join('\n')}\n`
}

export function parseCheckpoint(text: string): Checkpoint {
  if (!text.endsWith('\n')) throw new MalformedError('the checkpoint breaks off')
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n')
  if (origin === '' || extensions.includes('')) throw new MalformedError('the checkpoint has an empty line')
  const hash = fromBase64(root)
  if (hash.length !== HASH) throw new MalformedError(`the root of the checkpoint has ${hash.length} bytes`)
  return { origin, size: countIn(size, 'the size of the checkpoint'), root: hash, extensions }
}

export interface OpenedCheckpoint extends Checkpoint {
  /** What was signed. */
  readonly text: string
  /** The log's, and those of the known witnesses, all of them checked. */
  readonly signatures: readonly NoteSignature[]
}

/** A signed checkpoint that is the log's own, by name and by signature; witnesses' cosignatures are checked where known. */
export async function openCheckpoint(
  note: string,
  log: NoteVerifier,
  witnesses: readonly NoteVerifier[] = [],
): Promise<OpenedCheckpoint> {
  const { text, signatures } = await openNote(note, [log, ...witnesses])
  if (!signatures.some(({ name, id }) => name === log.name && id === log.id))
    throw new UntrustedError(`${log.name} has not signed the checkpoint`)
  const checkpoint = parseCheckpoint(text)
  if (checkpoint.origin !== log.name)
    throw new UntrustedError(`the checkpoint is one of ${checkpoint.origin}, not of ${log.name}`)
  return { ...checkpoint, text, signatures }
}
