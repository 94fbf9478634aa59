import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { EgressAnswer, EgressReply, HeaderPair } from './answer.ts'
import { Body } from './body.ts'

/** More of them on one body are nobody's but an attacker's. */
const MOST_CODINGS = 3
/** A body may become so many times as long; lists of prices become some ten to thirty times as long. */
const MOST_RATIO = 100
/** However short it came. */
const SMALL_BYTES = 64 * 1024

// As clients that pay read them: what has arrived of a coding that does not end is taken.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH }
const LENIENT_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH }

/** A zlib stream says so in its first byte; some servers send one without that head. */
const hasZlibHead = (body: Uint8Array): boolean => ((body[0] ?? 0) & 0x0f) === 0x08

const READERS = new Map<string, (body: Uint8Array) => Transform>([
  ['gzip', () => createGunzip(LENIENT)],
  ['x-gzip', () => createGunzip(LENIENT)],
  ['deflate', (body) => (hasZlibHead(body) ? createInflate(LENIENT) : createInflateRaw(LENIENT))],
  ['br', () => createBrotliDecompress(LENIENT_BROTLI)],
])

/** The content codings of a body, in the order in which they were put on. */
export const codingsOf = (headers: readonly HeaderPair[]): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')

interface Plain {
  readonly body: Uint8Array
  /** It goes on beyond what is kept. */
  readonly isCut: boolean
}

/** `null`: it is not in this coding. */
function plainOf(body: Uint8Array, reader: Transform, mostBytes: number): Promise<Plain | null> {
  return new Promise((resolve) => {
    const read = new Body()
    let size = 0
    const end = (isCut: boolean): void => {
      reader.destroy()
      resolve({ body: read.bytes(), isCut })
    }
    reader.on('data', (chunk: Uint8Array) => {
      const kept = chunk.subarray(0, mostBytes - size)
      size += kept.length
      read.append(kept)
      if (kept.length < chunk.length) end(true)
    })
    reader.on('end', () => end(false))
    reader.on('error', () => resolve(null))
    reader.end(body)
  })
}

/** `null`: in a coding that is not read here, or that the body does not keep to. */
async function decode(body: Uint8Array, codings: readonly string[], maxBytes: number): Promise<Plain | null> {
  if (codings.length > MOST_CODINGS) return null
  const mostBytes = Math.min(maxBytes, Math.max(SMALL_BYTES, MOST_RATIO * body.length))
  let plain: Plain = { body, isCut: false }
  for (const coding of codings.toReversed()) {
    const next = READERS.get(coding)
    const read = next && (await plainOf(plain.body, next(plain.body), mostBytes))
    if (!read) return null
    plain = { body: read.body, isCut: plain.isCut || read.isCut }
  }
  return plain
}

/**
 * The answer with its body as whoever pays reads it. Codings are never asked for, but some servers and those before them
 * send nothing else. What it holds is bounded as if it had come so.
 */
export async function decoded(
  answer: EgressAnswer,
  { maxBodyBytes, overflow }: { readonly maxBodyBytes: number; readonly overflow: 'cut' | 'error' },
): Promise<EgressAnswer> {
  const reply = answer.ok ? answer : answer.partial
  if (reply === null || reply.coding === null || reply.body.length === 0) return answer
  const plain = await decode(reply.body, codingsOf(reply.headers), maxBodyBytes)
  if (plain === null) return answer
  const { body, isCut } = plain
  const read = { body, coding: null, bodyTruncated: reply.bodyTruncated || isCut }
  if (!answer.ok) return { ...answer, partial: { ...reply, ...read } }
  if (!isCut || overflow === 'cut') return { ...answer, ...read }
  const { status, headers, latencyMs, timings, remoteAddress } = answer
  const partial: EgressReply = { status, headers, ...read }
  return { ok: false, error: 'body_overflow', latencyMs, timings, remoteAddress, partial }
}
