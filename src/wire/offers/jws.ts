import { createPublicKey, verify } from 'node:crypto'
import type { PublicJwk } from '../../domain/offers/signed-offer.ts'
import { fieldOf, fieldsOf, parseJson } from '../challenge/json.ts'
import { isEd25519Valid } from '../ed25519.ts'

export interface Jws {
  readonly alg: 'ES256' | 'ES256K' | 'EdDSA'
  readonly kid: string
  readonly payload: unknown
  /** What is signed. */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}

const LONGEST = 8192
const CURVES = { ES256: 'P-256', ES256K: 'secp256k1', EdDSA: 'Ed25519' } as const
const MEMBERS = ['alg', 'kid', 'typ']

/** The bytes of base64url in its one writing: of what is padded or has spare bits there are several. */
function bytesOf(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  return part !== '' && bytes.toString('base64url') === part ? bytes : undefined
}

/** A compact JWS of strangers, as far as one can be an offer. A header that asks for anything else is refused. */
export function readJws(text: string): Jws | undefined {
  const parts = text.length > LONGEST ? [] : text.split('.')
  const [head, body, signature] = parts.map(bytesOf)
  if (parts.length !== 3 || !head || !body || signature?.length !== 64) return undefined
  const header = fieldsOf(parseJson(head.toString('utf8')))
  const [alg, kid] = [fieldOf(header, 'alg'), fieldOf(header, 'kid')]
  if (header === undefined || Object.keys(header).some((name) => !MEMBERS.includes(name))) return undefined
  if (alg !== 'ES256' && alg !== 'ES256K' && alg !== 'EdDSA') return undefined
  if (typeof kid !== 'string' || !/^did:[\x21-\x7e]{1,500}$/.test(kid)) return undefined
  const payload = parseJson(body.toString('utf8'))
  return { alg, kid, payload, signed: Buffer.from(text.slice(0, text.lastIndexOf('.'))), signature }
}

/** Whether the key made the signature; a key of another kind than the header says never did. */
export function isJwsOf({ alg, signed, signature }: Jws, jwk: PublicJwk): boolean {
  if (CURVES[alg] !== jwk.crv) return false
  if (alg === 'EdDSA') return isEd25519Valid(Buffer.from(jwk.x, 'base64url'), signed, signature)
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    // Its coordinates are no point of the curve.
    return false
  }
}
