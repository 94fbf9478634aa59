import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Answer } from './answer.ts'
import { compress } from './cache/page.ts'
import { type Coding, chooseCoding } from './negotiation.ts'
import type { Head } from './server/head.ts'

type Compression = Exclude<Coding, 'identity'>

const AT_ONCE: Readonly<Record<Compression, (bytes: string | Uint8Array) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
}

/** A text that is made for one request alone, in the coding that the request accepts; anything else as it is. */
export async function compressed(head: Head, answer: Answer): Promise<Answer> {
  const coding = codingOf(head, answer)
  return coding === null ? varied(answer) : coded(answer, coding, await compress[coding](Buffer.from(answer.body)))
}

/** The same without waiting, for what is refused before anything else is done: it must stay cheap. */
export function compressedAtOnce(head: Head, answer: Answer): Answer {
  const coding = codingOf(head, answer)
  return coding === null ? varied(answer) : coded(answer, coding, AT_ONCE[coding](answer.body))
}

/** Less fits into one packet. */
const LEAST_BYTES = 1024

/** Problems for programs are none: they are short, and refusing must stay cheap. */
const isText = ({ headers }: Answer): boolean => /^(?:text\/|application\/json\b)/.test(headers['Content-Type'] ?? '')

/** `null`: as it is. */
function codingOf({ acceptEncoding }: Head, answer: Answer): Compression | null {
  if (!isText(answer) || answer.body.byteLength < LEAST_BYTES) return null
  const coding = chooseCoding(acceptEncoding) ?? 'identity'
  return coding === 'identity' ? null : coding
}

function varied(answer: Answer): Answer {
  if (!isText(answer)) return answer
  const names = new Set([...(answer.headers.Vary?.split(', ') ?? []), 'Accept-Encoding'])
  return { ...answer, headers: { ...answer.headers, Vary: [...names].join(', ') } }
}

function coded(answer: Answer, coding: Compression, body: Buffer): Answer {
  const { headers } = varied(answer)
  return { ...answer, headers: { ...headers, 'Content-Encoding': coding }, body }
}
