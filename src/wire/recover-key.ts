import { createRequire } from 'node:module'
import type secp256k1 from 'secp256k1'
import type { RecoveryIdType } from 'tiny-secp256k1'

type RecoverKey = (digest: Uint8Array, signature: Uint8Array, parity: RecoveryIdType) => Uint8Array | null

/** Both are loaded by the first signature and not before: finding them takes longer than most commands have signatures for. */
const load = createRequire(import.meta.url)

interface Recovery {
  readonly recover: RecoverKey
  readonly isNative: boolean
}

/** Native code, where secp256k1 carries it for this platform. Its own stand-in in JavaScript is slower than WebAssembly. */
function inNativeCode(): Recovery | null {
  try {
    const { ecdsaRecover }: typeof secp256k1 = load('secp256k1/bindings.js')
    return { recover: (digest, signature, parity) => ecdsaRecover(signature, parity, digest, false), isNative: true }
  } catch {
    return null
  }
}

function inWebAssembly(): Recovery {
  const { recover }: typeof import('tiny-secp256k1') = load('tiny-secp256k1')
  return { recover: (digest, signature, parity) => recover(digest, signature, parity, false), isNative: false }
}

let found: Recovery | undefined
/** Throws where neither is installed. */
const recovery = (): Recovery => {
  found ??= inNativeCode() ?? inWebAssembly()
  return found
}

export const isRecoveredNatively = (): boolean => recovery().isNative

/** The public key, in 65 bytes, that made r and s over the digest; `null` when none did. */
export const recoverKey: RecoverKey = (digest, signature, parity) => {
  // Not in the `try`: a part that is missing says nothing of a signature.
  const { recover } = recovery()
  try {
    return recover(digest, signature, parity)
  } catch {
    // r or s is out of range, or no point has this r.
    return null
  }
}
