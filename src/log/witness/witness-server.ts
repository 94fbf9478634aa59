import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { MalformedError, sha256, textOf, toHex, utf8 } from '../tlog/index.ts'
import type { WitnessMemory } from './memory.ts'
import type { Witness } from './witness.ts'

/** A checkpoint with a hundred signatures and the longest proof fits. */
const MOST_BODY_BYTES = 100_000
const TIMES = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 60_000 }
const TEXT = 'text/plain; charset=utf-8'

const TITLES = {
  400: ['Malformed request', 'Send what c2sp.org/tlog-witness says: old size, proof, empty line, checkpoint.'],
  403: ['Not signed', 'Sign the checkpoint with the key that this witness was given for the log.'],
  404: ['Not here', 'Ask whoever runs this witness to watch the log; its front page lists those it watches.'],
  405: ['Method not allowed', 'POST to /add-checkpoint, GET everything else.'],
  413: ['Too large', `Send at most ${MOST_BODY_BYTES} bytes.`],
  422: ['Not consistent', 'A log only grows: prove that the new tree begins with the one that was cosigned last.'],
  500: ['Not remembered', 'Try again later: what cannot be kept is not cosigned.'],
} as const

export interface WitnessServerOptions {
  readonly witness: Witness
  readonly memory: WitnessMemory
  readonly origins: readonly string[]
  /** What the front page says: the witness's key, and those of the logs it watches. */
  readonly front: string
  readonly onTrouble: (error: unknown) => void
}

/** The addresses of a witness. Listening is the caller's. */
export function createWitnessServer(options: WitnessServerOptions): Server {
  return createServer(TIMES, (request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      options.onTrouble(error)
      if (!response.headersSent) refuse(response, 500, 'what was seen could not be kept')
    })
  })
}

async function answer(
  options: WitnessServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isAdding = request.url === '/add-checkpoint'
  const allowed = isAdding ? ['POST'] : ['GET', 'HEAD']
  if (!allowed.includes(request.method ?? '')) {
    response.setHeader('allow', allowed.join(', '))
    return refuse(response, 405, `${request.method} is not answered`)
  }
  if (isAdding) return add(options.witness, request, response)
  if (request.url === '/') return send(response, 200, TEXT, options.front)
  const origin = options.origins.find((one) => request.url === `/${toHex(sha256(utf8(one)))}/checkpoint`)
  const seen = origin === undefined ? undefined : options.memory.of(origin)
  if (seen === undefined) return refuse(response, 404, 'there is no such page, or nothing was cosigned yet')
  return send(response, 200, TEXT, seen.checkpoint)
}

async function add(witness: Witness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  if (body === undefined) {
    response.setHeader('connection', 'close')
    return refuse(response, 413, `the body has more than ${MOST_BODY_BYTES} bytes`)
  }
  const verdict = await witness.addCheckpoint(textIn(body))
  if (verdict.status === 200) return send(response, 200, TEXT, verdict.cosignature)
  if (verdict.status === 409) return send(response, 409, verdict.type, verdict.size)
  return refuse(response, verdict.status, verdict.detail)
}

/** Bytes that are no text are read as one that nobody takes. */
function textIn(body: Uint8Array): string {
  try {
    return textOf(body)
  } catch (error) {
    if (error instanceof MalformedError) return ''
    throw error
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    parts.push(part)
    length += part.length
    if (length > MOST_BODY_BYTES) return undefined
  }
  return Buffer.concat(parts)
}

function refuse(response: ServerResponse, status: keyof typeof TITLES, detail: string): void {
  const [title, hint] = TITLES[status]
  const problem = { type: 'about:blank', title, status, detail, hint }
  send(response, status, 'application/problem+json', `${JSON.stringify(problem)}\n`)
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  response.end(body)
}
