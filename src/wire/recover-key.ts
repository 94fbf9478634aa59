import { createRequire } from 'node:module'
import type secp256k1 from 'secp256k1'
import { type RecoveryIdType, recover } from 'tiny-secp256k1'

type RecoverKey = (digest: Uint8Array, signature: Uint8Array, parity: RecoveryIdType) => Uint8Array | null

/** Native code, where secp256k1 carries it for this platform. Its own stand-in in JavaScript is slower than WebAssembly. */
function nativeRecovery(): RecoverKey | null {
  try {
    const { ecdsaRecover }: typeof secp256k1 = createRequire(import.meta.url)('secp256k1/bindings.js')
    return (digest, signature, parity) => ecdsaRecover(signature, parity, digest, false)
  } catch {
    return null
  }
}

const inWebAssembly: RecoverKey = (digest, signature, parity) => recover(digest, signature, parity, false)

/** Found when the first signature is: finding native code takes longer than most commands have signatures for. */
let native: RecoverKey | null | undefined
const nativeOnce = (): RecoverKey | null => {
  native = native === undefined ? nativeRecovery() : native
  return native
}

export const isRecoveredNatively = (): boolean => nativeOnce() !== null

/** The public key, in 65 bytes, that made r and s over the digest. Throws, or gives null, when none did. */
export const recoverKey: RecoverKey = (digest, signature, parity) =>
  (nativeOnce() ?? inWebAssembly)(digest, signature, parity)
