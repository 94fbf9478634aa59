// How the key is found that made a signature; shared by whoever checks one and by the threads that check many.
import { createRequire } from 'node:module'

/** @typedef {import('tiny-secp256k1').RecoveryIdType} Parity */
/** @typedef {(digest: Uint8Array, signature: Uint8Array, parity: Parity) => Uint8Array | null} RecoverKey */
/** @typedef {{ recover: RecoverKey, isNative: boolean }} Recovery */

/** Both are loaded by the first signature and not before: finding them takes longer than most commands have signatures for. */
const load = createRequire(import.meta.url)

/**
 * Native code, where secp256k1 carries it for this platform. Its own stand-in in JavaScript is slower than WebAssembly.
 *
 * @returns {Recovery | null}
 */
function inNativeCode() {
  try {
    /** @type {typeof import('secp256k1')} */
    const { ecdsaRecover } = load('secp256k1/bindings.js')
    return { recover: (digest, signature, parity) => ecdsaRecover(signature, parity, digest, false), isNative: true }
  } catch {
    return null
  }
}

/** @returns {Recovery} */
function inWebAssembly() {
  /** @type {typeof import('tiny-secp256k1')} */
  const { recover } = load('tiny-secp256k1')
  return { recover: (digest, signature, parity) => recover(digest, signature, parity, false), isNative: false }
}

/** @type {Recovery | undefined} */
let found
/** Throws where neither is installed. */
function recovery() {
  found ??= inNativeCode() ?? inWebAssembly()
  return found
}

export const isRecoveredNatively = () => recovery().isNative

/**
 * The public key, in 65 bytes, that made r and s over the digest; `null` when none did.
 *
 * @type {RecoverKey}
 */
export const recoverKey = (digest, signature, parity) => {
  // Not in the `try`: a part that is missing says nothing of a signature.
  const { recover } = recovery()
  try {
    return recover(digest, signature, parity)
  } catch {
    // r or s is out of range, or no point has this r.
    return null
  }
}

/** A digest, r and s, and the parity, one question after the other in the same bytes. */
const QUESTION_BYTES = 97
/** A key, or zeros where nobody's made the signature. */
export const KEY_BYTES = 65

/**
 * Many questions as a thread is asked them.
 *
 * @param {readonly { digest: Uint8Array, signature: Uint8Array, parity: Parity }[]} questions
 */
export function packed(questions) {
  const asked = new Uint8Array(questions.length * QUESTION_BYTES)
  for (const [index, { digest, signature, parity }] of questions.entries()) {
    const at = index * QUESTION_BYTES
    asked.set(digest, at)
    asked.set(signature, at + 32)
    asked[at + 96] = parity
  }
  return asked
}

/**
 * Their answers.
 *
 * @param {Uint8Array} asked
 */
export function recoverKeys(asked) {
  const keys = new Uint8Array((asked.length / QUESTION_BYTES) * KEY_BYTES)
  for (let at = 0, to = 0; at < asked.length; at += QUESTION_BYTES, to += KEY_BYTES) {
    const parity = asked[at + 96] === 0 ? 0 : 1
    const key = recoverKey(asked.subarray(at, at + 32), asked.subarray(at + 32, at + 96), parity)
    if (key !== null) keys.set(key, to)
  }
  return keys
}
