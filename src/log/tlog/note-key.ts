import { concat, fromBase64, toBase64, toHex, utf8 } from './bytes.ts'
import { checkerOf, KEY_BYTES, keyPairOf } from './ed25519.ts'
import { MalformedError } from './errors.ts'
import { sha256 } from './sha256.ts'

/** The algorithms of notes that are spoken here: a log's signatures, and witnesses' cosignatures. */
export const NOTE_TYPE = 0x01
export const COSIGNATURE_TYPE = 0x04

/** Bytes of a key's ID. */
export const ID_BYTES = 4

/** Who signs notes under which name; `id` tells keys of one name apart, in 8 hex digits. */
export interface NoteKey {
  readonly name: string
  readonly id: string
}

/** A verifier key as text holds it, of whatever algorithm. */
export interface VerifierKey extends NoteKey {
  readonly type: number
  readonly publicKey: Uint8Array
}

export interface NoteSigner extends NoteKey {
  readonly vkey: string
  sign(text: string): Promise<Uint8Array>
}

export interface NoteVerifier extends NoteKey {
  readonly type: number
  verify(text: string, signature: Uint8Array): Promise<boolean>
}

export const isKeyName = (name: string): boolean => /^[^\s\u0085+]+$/u.test(name) && name.isWellFormed()

/** The first four bytes of SHA-256 over name, newline, type and key. */
export const keyIdOf = (name: string, type: number, publicKey: Uint8Array): string =>
  toHex(sha256(concat([utf8(`${name}\n`), Uint8Array.of(type), publicKey])).subarray(0, ID_BYTES))

/** `<name>+<id>+<base64 of type and key>` */
export function formatVkey(name: string, type: number, publicKey: Uint8Array): string {
  if (!isKeyName(name)) throw new RangeError('a key name has neither spaces nor plus signs')
  return `${name}+${keyIdOf(name, type, publicKey)}+${toBase64(concat([Uint8Array.of(type), publicKey]))}`
}

/** Reads a vkey of any type. One whose ID is not that of its key is refused. */
export function parseVkey(vkey: string): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(vkey) ?? []
  if (!isKeyName(name)) throw new MalformedError('not a verifier key: <name>+<id>+<key>')
  const [type, ...rest] = fromBase64(encoded)
  if (type === undefined) throw new MalformedError('the verifier key is empty')
  const publicKey = Uint8Array.from(rest)
  if (isSpoken(type) && publicKey.length !== KEY_BYTES) throw new MalformedError('the verifier key has another length')
  if (isSpoken(type) && keyIdOf(name, type, publicKey) !== id)
    throw new MalformedError('the verifier key has the ID of another')
  return { name, id, type, publicKey }
}

const isSpoken = (type: number): boolean => type === NOTE_TYPE || type === COSIGNATURE_TYPE

/** The signer of a log: Ed25519 over the text itself. */
export async function newSigner(seed: Uint8Array, name: string): Promise<NoteSigner> {
  const { publicKey, sign } = await keyPairOf(seed)
  const vkey = formatVkey(name, NOTE_TYPE, publicKey)
  return { name, id: keyIdOf(name, NOTE_TYPE, publicKey), vkey, sign: (text) => sign(utf8(text)) }
}

/** What checks the signatures of a log's key. */
export function newVerifier(vkey: string): NoteVerifier {
  const { name, id, type, publicKey } = parseVkey(vkey)
  if (type !== NOTE_TYPE) throw new MalformedError(`the verifier key is of type ${type}, not a log's`)
  const check = checkerOf(publicKey)
  return { name, id, type, verify: (text, signature) => check(utf8(text), signature) }
}
