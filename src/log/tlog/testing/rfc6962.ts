import { createHash } from 'node:crypto'

/** RFC 6962, section 2.1, as it is written: slow, recursive, on Node's own SHA-256. */
type Data = readonly Uint8Array[]

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

function k(n: number): number {
  let power = 1
  while (power * 2 < n) power *= 2
  return power
}

export function MTH(data: Data): Uint8Array {
  const [only] = data
  if (only === undefined) return sha256()
  if (data.length === 1) return sha256(Uint8Array.of(0), only)
  const cut = k(data.length)
  return sha256(Uint8Array.of(1), MTH(data.slice(0, cut)), MTH(data.slice(cut)))
}

export function PATH(m: number, data: Data): Uint8Array[] {
  if (data.length === 1) return []
  const cut = k(data.length)
  return m < cut
    ? [...PATH(m, data.slice(0, cut)), MTH(data.slice(cut))]
    : [...PATH(m - cut, data.slice(cut)), MTH(data.slice(0, cut))]
}

export function PROOF(m: number, data: Data): Uint8Array[] {
  return SUBPROOF(m, data, true)
}

function SUBPROOF(m: number, data: Data, isWhole: boolean): Uint8Array[] {
  if (m === data.length) return isWhole ? [] : [MTH(data)]
  const cut = k(data.length)
  return m <= cut
    ? [...SUBPROOF(m, data.slice(0, cut), isWhole), MTH(data.slice(cut))]
    : [...SUBPROOF(m - cut, data.slice(cut), false), MTH(data.slice(0, cut))]
}
