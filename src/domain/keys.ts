import { hash } from 'node:crypto'
import type { SellerHost } from './host.ts'
import type { RouteKey } from './route.ts'

/** 53 bits of a SHA-256: fits a JavaScript number, and the same text gives the same key on every machine. */
export function key53(text: string): number {
  const digest = hash('sha256', text, 'buffer')
  return digest.readUInt32BE(0) * 2 ** 21 + (digest.readUInt32BE(4) >>> 11)
}

/** Where a host's number starts; a collision takes the next free number. */
export const hostKey = (host: SellerHost): number => key53(host)

/** Where a route's number starts within its host. */
export const routeKey = (route: RouteKey): number =>
  key53([route.scheme, route.method, route.path, route.rail].join('\n'))

/** The number after a taken one. */
export const nextKey = (key: number): number => (key === Number.MAX_SAFE_INTEGER ? 0 : key + 1)

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')
