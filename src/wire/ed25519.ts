import { createPublicKey, verify } from 'node:crypto'

/** The DER header that turns 32 bytes into an Ed25519 public key. */
const HEADER = Buffer.from('302a300506032b6570032100', 'hex')
/** The field's prime and the group's order. */
const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`)

/** The y of all points whose order divides 8: a key or nonce among them is nobody's secret. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  P - 1n,
  littleEndian(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex')),
  littleEndian(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex')),
])

/** Whether 32 bytes are the one encoding of a point that only its owner can sign for. */
function isSoundPoint(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) & (2n ** 255n - 1n)
  return y < P && !SMALL_ORDER.has(y)
}

/**
 * Whether the key (32 bytes) signed the message (64 bytes of signature). Stricter than OpenSSL, which takes keys of small
 * order: with one of those a single signature fits any message.
 */
export function isEd25519Valid(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false
  if (!isSoundPoint(key) || !isSoundPoint(signature.subarray(0, 32))) return false
  if (littleEndian(signature.subarray(32)) >= L) return false
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([HEADER, key]), format: 'der', type: 'spki' })
    return verify(null, message, publicKey, signature)
  } catch {
    // 32 bytes that are no point of the curve.
    return false
  }
}
