import { type AllowHosts, parseHost, type SellerHost } from './host.ts'
import { LONGEST_PATH, type Method, type Rail, type Scheme } from './words/route-words.ts'

export { LONGEST_PATH, METHODS, type Method, RAILS, type Rail, SCHEMES, type Scheme } from './words/route-words.ts'

/** What makes a route one route within its host. */
export interface RouteKey {
  readonly scheme: Scheme
  readonly method: Method
  /** Everything after the host as the source wrote it, query string included, fragment dropped. */
  readonly path: string
  readonly rail: Rail
}

export interface RouteAddress {
  readonly scheme: Scheme
  readonly host: SellerHost
  readonly path: string
}

export type AddressReading =
  | { readonly ok: true; readonly address: RouteAddress }
  | { readonly ok: false; readonly reason: string }

const DEFAULT_PORT: Readonly<Record<Scheme, number>> = { http: 80, https: 443 }
const FORM = /^(https?):\/\/([^/?#]*)([^#]*)/i

/** `<scheme>://<seller_host><path>`, the path kept as written: `:id`, `{id}` and `%7Bid%7D` stay verbatim. */
export function parseAddress(url: string, allow: AllowHosts = []): AddressReading {
  const match = FORM.exec(url)
  if (!match) return { ok: false, reason: 'not an http or https address' }
  const scheme = match[1]?.toLowerCase() === 'http' ? 'http' : 'https'
  const authority = match[2] ?? ''
  const path = match[3] ?? ''
  if (authority.includes('@')) return { ok: false, reason: 'an address with user information is refused' }
  const host = parseHost(authority, allow, DEFAULT_PORT[scheme])
  if (!host.ok) return host
  if (/[\s\p{Cc}\p{Cf}]/u.test(path) || !path.isWellFormed()) {
    return { ok: false, reason: 'the path holds spaces, control characters or ill-formed text' }
  }
  if (Buffer.byteLength(path) > LONGEST_PATH)
    return { ok: false, reason: `the path is longer than ${LONGEST_PATH} bytes` }
  return { ok: true, address: { scheme, host: host.host, path } }
}

export const addressOf = (scheme: Scheme, host: SellerHost, path: string): string => `${scheme}://${host}${path}`

/** Wherever they stand: `:id`, `{id}`, `<id>` and their percent-encoded forms. */
const ANYWHERE = '(?<![a-z0-9:]):[a-z_]|[{}]|%7[BD]|<[^<>/?&]+>|%3C(?:(?!%3[CE])[^/?&])+%3E'
/** Not in a query: `[id]`, `[[...slug]]`, and a segment that begins or ends with `*`. */
const IN_PATHS = String.raw`(?<![\w\]])(?:\[|%5B){1,2}(?:\.{3})?[a-z_][\w=-]*(?:\]|%5D)|(?<=\/)\*|\*(?=[/?]|$)`

const PARAMETER = new RegExp(`${ANYWHERE}|^[^?]*(?:${IN_PATHS})`, 'i')

/**
 * A path with parameters is listed and shown, and never called: nobody knows what to fill in. What stands after a letter or a
 * digit is none: `qrn:agent:tars`, `gemini:generate`, `a[b]`. Sellers publish what they wrote for the frameworks that they use.
 */
export const isTemplate = (path: string): boolean => PARAMETER.test(path)
