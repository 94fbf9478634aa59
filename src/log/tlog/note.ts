import { concat, fromBase64, toBase64, toHex } from './bytes.ts'
import { MalformedError, UntrustedError } from './errors.ts'
import { ID_BYTES, isKeyName, type NoteKey, type NoteSigner, type NoteVerifier } from './note-key.ts'

const MOST_SIGNATURES = 100
export const LONGEST_NOTE = 1_000_000

export interface NoteSignature extends NoteKey {
  /** What the key has made, without its ID before it. */
  readonly signature: Uint8Array
}

export interface Note {
  /** With the newline at its end. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

const isSameKey = (a: NoteKey, b: NoteKey): boolean => a.name === b.name && a.id === b.id

/** `— <name> <base64 of id and signature>`, with its newline. */
export function signatureLine({ name, id, signature }: NoteSignature): string {
  const idBytes = Uint8Array.from({ length: ID_BYTES }, (_, at) => Number.parseInt(id.slice(2 * at, 2 * at + 2), 16))
  return `\u2014 ${name} ${toBase64(concat([idBytes, signature]))}\n`
}

/** Reads lines of signatures, each of them ended by its newline. */
export function parseSignatureLines(lines: string): NoteSignature[] {
  if (!lines.endsWith('\n')) throw new MalformedError('the signatures break off')
  const all = lines.slice(0, -1).split('\n')
  if (all.length > MOST_SIGNATURES) throw new MalformedError(`more than ${MOST_SIGNATURES} signatures`)
  return all.map((line) => {
    const [, name = '', encoded = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/u.exec(line) ?? []
    const bytes = fromBase64(encoded)
    if (!isKeyName(name) || bytes.length <= ID_BYTES) throw new MalformedError('not a line of a signature')
    return { name, id: toHex(bytes.subarray(0, ID_BYTES)), signature: bytes.subarray(ID_BYTES) }
  })
}

export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map((signature) => signatureLine(signature)).join('')}`

/** Text and signatures, none of which is checked. */
export function parseNote(note: string): Note {
  if (note.length > LONGEST_NOTE) throw new MalformedError('the note is too long')
  // Control characters other than the newline have no place in a note.
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note) || !note.isWellFormed()) throw new MalformedError('the note is no text')
  const end = note.lastIndexOf('\n\n')
  if (end === -1) throw new MalformedError('the note has no signatures')
  return { text: note.slice(0, end + 1), signatures: parseSignatureLines(note.slice(end + 2)) }
}

/** The text, signed by each. */
export async function signNote(text: string, ...signers: readonly NoteSigner[]): Promise<string> {
  if (!text.endsWith('\n')) throw new RangeError('the text of a note ends with a newline')
  const signatures = await Promise.all(
    signers.map(async (signer) => ({ name: signer.name, id: signer.id, signature: await signer.sign(text) })),
  )
  return formatNote({ text, signatures })
}

/**
 * The text, and the signatures of it that known keys have made, in their order. Signatures of unknown keys are passed
 * over; refuses the note when one of a known key is wrong, or when there is none of a known key.
 */
export async function openNote(note: string, verifiers: readonly NoteVerifier[]): Promise<Note> {
  const { text, signatures } = parseNote(note)
  const checked: NoteSignature[] = []
  for (const signature of signatures) {
    const verifier = verifiers.find((known) => isSameKey(known, signature))
    if (verifier === undefined || checked.some((before) => isSameKey(before, signature))) continue
    if (!(await verifier.verify(text, signature.signature)))
      throw new UntrustedError(`the signature of ${verifier.name}+${verifier.id} is wrong`)
    checked.push(signature)
  }
  if (checked.length === 0) throw new UntrustedError('no known key has signed')
  return { text, signatures: checked }
}
