import { concat, utf8 } from './bytes.ts'
import { checkerOf, keyPairOf, SIGNATURE_BYTES } from './ed25519.ts'
import { MalformedError } from './errors.ts'
import type { NoteSignature } from './note.ts'
import { COSIGNATURE_TYPE, formatVkey, keyIdOf, type NoteVerifier, parseVkey } from './note-key.ts'

/** The time before the signature is a big-endian uint64. */
const TIME_BYTES = 8

/** What a witness signs: that at this time (in seconds) the checkpoint was the newest it had seen of the log. */
const messageOf = (text: string, timeS: number): Uint8Array => utf8(`cosignature/v1\ntime ${timeS}\n${text}`)

export interface Cosigner {
  readonly name: string
  readonly id: string
  readonly vkey: string
  /** A witness's signature of a checkpoint's text at a time in seconds. */
  cosign(text: string, timeS: number): Promise<NoteSignature>
}

export async function newCosigner(seed: Uint8Array, name: string): Promise<Cosigner> {
  const { publicKey, sign } = await keyPairOf(seed)
  const id = keyIdOf(name, COSIGNATURE_TYPE, publicKey)
  return {
    name,
    id,
    vkey: formatVkey(name, COSIGNATURE_TYPE, publicKey),
    cosign: async (text, timeS) => {
      const time = new Uint8Array(TIME_BYTES)
      new DataView(time.buffer).setBigUint64(0, BigInt(timeS))
      return { name, id, signature: concat([time, await sign(messageOf(text, timeS))]) }
    },
  }
}

/** What checks the cosignatures of a witness's key. */
export function newCosignatureVerifier(vkey: string): NoteVerifier {
  const { name, id, type, publicKey } = parseVkey(vkey)
  if (type !== COSIGNATURE_TYPE) throw new MalformedError(`the verifier key is of type ${type}, not a witness's`)
  const check = checkerOf(publicKey)
  return {
    name,
    id,
    type,
    verify: async (text, signature) => {
      const timeS = cosignedAtS(signature)
      return timeS !== undefined && check(messageOf(text, timeS), signature.subarray(TIME_BYTES))
    },
  }
}

/** When a cosignature was made, in seconds; `undefined` when it is none. */
export function cosignedAtS(signature: Uint8Array): number | undefined {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined
  const timeS = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0))
  return Number.isSafeInteger(timeS) ? timeS : undefined
}
