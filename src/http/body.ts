import { problem } from '../domain/problem-kinds.ts'
import { MOST_BODY_BYTES, tooLarge } from './server/edges.ts'
import { parseStrictJson } from './strict-json.ts'

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The JSON body of a write. Rejects with a `Problem` for anything that is not one small, strict JSON text. */
export async function readJsonBody(request: Request): Promise<unknown> {
  requireJson(request.headers)
  return parseJson(await readBody(request))
}

/** The JSON of a body that was read before, judged as `readJsonBody` would. */
export function jsonIn(headers: Headers, bytes: Uint8Array): unknown {
  requireJson(headers)
  return parseJson(bytes)
}

/** The exact bytes of a body, whatever they are. Stops reading at the limit, whatever length was declared. */
export async function readBody(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MOST_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function requireJson(headers: Headers): void {
  const contentType = headers.get('content-type')
  if (contentType === null || !JSON_TYPE.test(contentType)) {
    throw problem('unsupported-media-type', 'The body is not declared as application/json in UTF-8.')
  }
  const coding = headers.get('content-encoding')
  if (coding !== null && coding.toLowerCase() !== 'identity') {
    throw problem('unsupported-media-type', 'The body is compressed.', { hint: 'Send it without Content-Encoding.' })
  }
}

function parseJson(bytes: Uint8Array): unknown {
  const reading = parseStrictJson(decode(bytes))
  if (reading.ok) return reading.value
  throw problem('invalid-json', `${reading.reason[0]?.toUpperCase()}${reading.reason.slice(1)}.`)
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark stays, and is then refused: signed texts are hashed as the exact bytes.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw problem('invalid-json', 'The body is not well-formed UTF-8.')
  }
}
