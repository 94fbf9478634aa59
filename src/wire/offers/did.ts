import { ECDH } from 'node:crypto'
import type { PublicJwk } from '../../domain/offers/signed-offer.ts'
import { bytes58 } from '../base58.ts'
import { type Fields, fieldOf, fieldsOf, parseJson } from '../challenge/json.ts'

/** A DID and, after `#`, which of its keys. */
export interface Did {
  readonly method: string
  readonly id: string
  /** Without the fragment. */
  readonly did: string
}

export function readDid(kid: string): Did | undefined {
  const [, did = '', method = '', id = ''] = /^(did:([a-z0-9]+):([A-Za-z0-9._:%-]+))(?:#[\x21-\x7e]*)?$/.exec(kid) ?? []
  return id === '' ? undefined : { method, id, did }
}

/** The host that a `did:web` belongs to, as addresses write it, and where its document is. */
export function didWebPlace({ method, id }: Did): { readonly host: string; readonly path: string } | undefined {
  if (method !== 'web') return undefined
  try {
    const [host = '', ...parts] = id.split(':').map((part) => decodeURIComponent(part))
    if (
      !/^[a-z0-9.-]+(?::\d{1,5})?$/.test(host) ||
      parts.some((part) => !/^[\w.~-]+$/.test(part) || /^\.+$/.test(part))
    )
      return undefined
    return { host, path: parts.length === 0 ? '/.well-known/did.json' : `/${parts.join('/')}/did.json` }
  } catch {
    // A percent sign without its digits.
    return undefined
  }
}

/** The wallet that a `did:pkh` is. */
export function didPkhWallet({ method, id }: Did): string | undefined {
  const [, wallet] = (method === 'pkh' && /^[-a-z0-9]{3,8}:[-A-Za-z0-9]{1,64}:([-.%A-Za-z0-9]{1,128})$/.exec(id)) || []
  return wallet
}

const COORDINATE = /^[A-Za-z0-9_-]{43}$/

/** A public key of strangers in its one form; `undefined` for what is none, or of a kind that no offer is signed with. */
export function readJwk(value: unknown): PublicJwk | undefined {
  const fields = fieldsOf(value)
  const [kty, crv, x, y] = ['kty', 'crv', 'x', 'y'].map((name) => fieldOf(fields, name))
  if (typeof x !== 'string' || !COORDINATE.test(x) || fieldOf(fields, 'd') !== undefined) return undefined
  if (kty === 'OKP' && crv === 'Ed25519') return { kty, crv, x }
  if (kty !== 'EC' || (crv !== 'P-256' && crv !== 'secp256k1')) return undefined
  return typeof y === 'string' && COORDINATE.test(y) ? { kty, crv, x, y } : undefined
}

/** Of each kind the two bytes that stand before the key. */
const CODECS = { ed01: 'Ed25519', e701: 'secp256k1', '8024': 'P-256' } as const
const NODE_CURVES = { secp256k1: 'secp256k1', 'P-256': 'prime256v1' } as const

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** A key in the writing of `did:key` and of `publicKeyMultibase`. */
function readMultibase(text: string): PublicJwk | undefined {
  const bytes = text.startsWith('z') ? bytes58(text.slice(1)) : undefined
  if (bytes === undefined || bytes.length < 34) return undefined
  const code = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  const crv = Object.entries(CODECS).find(([known]) => known === code)?.[1]
  const key = bytes.subarray(2)
  if (crv === undefined) return undefined
  if (crv === 'Ed25519') return key.length === 32 ? { kty: 'OKP', crv, x: base64url(key) } : undefined
  try {
    const point = Buffer.from(ECDH.convertKey(key, NODE_CURVES[crv], undefined, undefined, 'uncompressed'))
    return { kty: 'EC', crv, x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33, 65)) }
  } catch {
    // No point of the curve.
    return undefined
  }
}

/** The key that a name of a key itself holds. */
export function keyInDid({ method, id }: Did): PublicJwk | undefined {
  if (method === 'key') return readMultibase(id)
  return method === 'jwk' ? readJwk(parseJson(Buffer.from(id, 'base64url').toString('utf8'))) : undefined
}

/** Keys of one document that are looked at. */
const MOST_KEYS = 20

/** The keys of a DID's own document by their full names; `undefined` when it is not that document. */
export function keysInDocument(did: string, text: string): { kid: string; jwk: PublicJwk }[] | undefined {
  const document = fieldsOf(parseJson(text))
  if (fieldOf(document, 'id') !== did) return undefined
  const methods = fieldOf(document, 'verificationMethod')
  const read = Array.isArray(methods) ? methods.slice(0, MOST_KEYS) : []
  return read.flatMap((one: unknown) => {
    const fields = fieldsOf(one)
    const kid = kidOf(did, fields)
    const multibase = fieldOf(fields, 'publicKeyMultibase')
    const jwk =
      readJwk(fieldOf(fields, 'publicKeyJwk')) ?? (typeof multibase === 'string' ? readMultibase(multibase) : undefined)
    return kid === undefined || jwk === undefined ? [] : [{ kid, jwk }]
  })
}

/** Only of keys that the document says are its own. */
function kidOf(did: string, fields: Fields | undefined): string | undefined {
  const [id, controller] = [fieldOf(fields, 'id'), fieldOf(fields, 'controller')]
  if (typeof id !== 'string' || (controller !== undefined && controller !== did)) return undefined
  const kid = id.startsWith('#') ? `${did}${id}` : id
  return kid.startsWith(`${did}#`) && /^[\x21-\x7e]{1,500}$/.test(kid) ? kid : undefined
}
