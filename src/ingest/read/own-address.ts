import type { AllowHosts, SellerHost } from '../../domain/host.ts'
import { parseAddress } from '../../domain/route.ts'

/** Where a seller's document was served: what its relative addresses are relative to. */
export interface DocumentPlace {
  readonly host: SellerHost
  /** `https://api.example.com` */
  readonly origin: string
  /** The document's own folder, `/` at both ends. */
  readonly folder: string
  readonly scheme: string
}

export function placeOf(base: string, allow: AllowHosts): DocumentPlace | undefined {
  const reading = parseAddress(base, allow)
  if (!reading.ok) return undefined
  const { scheme, host, path } = reading.address
  const folder = path.replace(/[?#].*$/s, '').replace(/[^/]*$/, '') || '/'
  return { host, scheme, folder, origin: `${scheme}://${host}` }
}

const LOCAL = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::\d{1,5})?\/?$/i

/**
 * Whether an address is that of the machine where a document was written, while it is served from elsewhere. What stands below such
 * an address may be elsewhere, too.
 */
export const isWrittenAt = (address: string, { origin }: DocumentPlace): boolean =>
  LOCAL.test(address) && !LOCAL.test(origin)

/** Dot segments are resolved here and not by `URL`, which would encode the braces of a template. */
function withoutDots(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/').slice(1)) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

export const isAbsolute = (text: string): boolean => /^https?:\/\//i.test(text)

/** An address inside a document as a full address; templates and escapes stay as written. */
export function resolveIn(place: DocumentPlace, text: string): string {
  if (isAbsolute(text)) return text
  if (text.startsWith('//')) return `${place.scheme}:${text}`
  if (text.startsWith('/')) return `${place.origin}${text}`
  return `${place.origin}${withoutDots(`${place.folder}${text}`)}`
}

/**
 * An address as a prefix: without query, fragment and slashes at the end. A loop, because a regular expression for the
 * slashes takes quadratic time on a stranger's megabyte of them.
 */
export function prefixFrom(address: string): string {
  const end = address.search(/[?#]/)
  let length = end === -1 ? address.length : end
  while (length > 0 && address[length - 1] === '/') length -= 1
  return address.slice(0, length)
}

/** A prefix (a server, a base address) and a path below it, with exactly one slash between. */
export const joined = (prefix: string, path: string): string =>
  `${prefixFrom(prefix)}${path.startsWith('/') ? '' : '/'}${path}`
