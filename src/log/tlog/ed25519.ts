import { concat } from './bytes.ts'
import { MalformedError } from './errors.ts'

const ALGORITHM = 'Ed25519'
export const KEY_BYTES = 32
export const SIGNATURE_BYTES = 64
/** The PKCS #8 header that makes 32 bytes of seed a private key. */
const HEADER = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20)

export interface KeyPair {
  readonly publicKey: Uint8Array
  sign(message: Uint8Array): Promise<Uint8Array>
}

/** The pair of keys that 32 bytes of seed give (RFC 8032). */
export async function keyPairOf(seed: Uint8Array): Promise<KeyPair> {
  if (seed.length !== KEY_BYTES) throw new RangeError(`a seed has ${KEY_BYTES} bytes`)
  const key = await crypto.subtle.importKey('pkcs8', concat([HEADER, seed]), ALGORITHM, true, ['sign'])
  const { x = '' } = await crypto.subtle.exportKey('jwk', key)
  return {
    publicKey: Uint8Array.from(atob(x.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)),
    sign: async (message) => new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, message)),
  }
}

/** Answers whether a signature over a message is the key's. */
export type CheckSignature = (message: Uint8Array, signature: Uint8Array) => Promise<boolean>

export function checkerOf(publicKey: Uint8Array): CheckSignature {
  if (publicKey.length !== KEY_BYTES) throw new MalformedError(`a public key has ${KEY_BYTES} bytes`)
  const importing = crypto.subtle.importKey('raw', publicKey, ALGORITHM, false, ['verify'])
  // Who checks nothing need not hear that the key is none.
  importing.catch(() => undefined)
  return async (message, signature) => {
    try {
      return await crypto.subtle.verify(ALGORITHM, await importing, signature, message)
    } catch {
      // 32 bytes that are no point of the curve.
      return false
    }
  }
}
