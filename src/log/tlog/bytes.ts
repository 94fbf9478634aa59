import { MalformedError } from './errors.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** The text of bytes that must be UTF-8; nothing is replaced or left out. */
export function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new MalformedError('not UTF-8')
  }
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Standard Base 64 with padding. One text for one sequence of bytes: stray bits at the end are refused. */
export function fromBase64(text: string): Uint8Array {
  const bytes = BASE64.test(text) ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) : undefined
  if (bytes === undefined || toBase64(bytes) !== text) throw new MalformedError('not Base 64')
  return bytes
}

const DECIMAL = /^(?:0|[1-9][0-9]*)$/

/** A count in decimal without leading zeros, up to what a JavaScript number holds exactly. */
export function countIn(text: string, what: string): number {
  const count = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(count)) throw new MalformedError(`${what} is no count`)
  return count
}
