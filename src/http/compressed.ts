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

/** A page that is made for one request alone, in the coding that the request accepts; anything else as it is. */
export async function compressed(head: Head, answer: Answer): Promise<Answer> {
  const coding = codingOf(head, answer)
  return coding === null ? varied(answer) : coded(answer, coding, await compress[coding](Buffer.from(answer.body)))
}

/** The same without waiting, for what is refused before anything else is done: it must stay cheap. */
export function compressedAtOnce(head: Head, answer: Answer): Answer {
  const coding = codingOf(head, answer)
  return coding === null ? varied(answer) : coded(answer, coding, AT_ONCE[coding](answer.body))
}

const isPage = ({ headers }: Answer): boolean => headers['Content-Type']?.startsWith('text/html') === true

/** `null`: as it is. */
function codingOf({ acceptEncoding }: Head, answer: Answer): Compression | null {
  const coding = isPage(answer) ? (chooseCoding(acceptEncoding) ?? 'identity') : 'identity'
  return coding === 'identity' ? null : coding
}

function varied(answer: Answer): Answer {
  if (!isPage(answer)) return answer
  const names = new Set([...(answer.headers.Vary?.split(', ') ?? []), 'Accept-Encoding'])
  return { ...answer, headers: { ...answer.headers, Vary: [...names].join(', ') } }
}

function coded(answer: Answer, coding: Compression, body: Buffer): Answer {
  const { headers } = varied(answer)
  return { ...answer, headers: { ...headers, 'Content-Encoding': coding }, body }
}
