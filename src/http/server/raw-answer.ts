import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import type { Site } from '../../render/site.ts'
import { EVERY_ANSWER, jsonText } from '../answer.ts'
import { type Paying, withCharged } from '../charged.ts'
import { PROBLEM_TYPE, problemDocument } from '../problems.ts'
import { LONGEST_TARGET } from './edges.ts'

/** How long a refused client may take to read its answer before the connection goes. */
const LINGER_MS = 500

/** A whole answer in bytes, for a connection on which HTTP itself failed and no response object exists. */
export function rawProblem(site: Site, found: Problem, requestId: string): string {
  const body = jsonText(problemDocument(site, found, requestId))
  const headers = {
    'Content-Type': `${PROBLEM_TYPE}; charset=utf-8`,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    ...EVERY_ANSWER,
    ...found.headers,
    'X-Request-Id': requestId,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${found.status} ${STATUS_CODES[found.status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}

/** Says it and hangs up. Closing at once could take the answer away from a client that is still sending. */
export function hangUp(socket: Duplex, bytes: string): void {
  // After CONNECT nobody else listens any more, and an error that nobody hears would end the program.
  socket.on('error', () => socket.destroy())
  socket.end(bytes)
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** What a connection is told when its bytes could not be read as a request; `undefined`: nobody is there any more. */
export function parserProblem(error: ParserError): Problem | undefined {
  const found = faultIn(error)
  // Refused as it is written, each time: nobody was asked to pay for it, and no copy of it was charged.
  return found && withCharged({ ...askedIn(error.rawPacket), hasCredential: false }, found, false)
}

/** Whether bytes came after a request that said it is the last one of its connection. */
export const isBehindLast = (error: NodeJS.ErrnoException): boolean => error.code === 'HPE_CLOSED_CONNECTION'

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

function faultIn(error: ParserError): Problem | undefined {
  switch (error.code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request-timeout', 'The request did not arrive in full in time.')
    case 'HPE_HEADER_OVERFLOW':
      return isLongTarget(error.rawPacket)
        ? problem('target-too-long', `The address of the request has more than ${LONGEST_TARGET} characters.`)
        : problem('headers-too-large', 'The headers of the request are too large.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem('body-too-large', 'The chunk extensions of the body are too large.')
    default:
      return problem('bad-request', 'The request is not readable as HTTP/1.1.')
  }
}

const LONGEST_LINE = LONGEST_TARGET + 64

/** What a packet asks for that begins with a whole request line. */
function askedIn(packet: Buffer | undefined): Pick<Paying, 'method' | 'target'> {
  const [, method, target] =
    /^([A-Z]+) (\S+) HTTP\/\d\.\d\r?\n/.exec(packet?.toString('latin1', 0, LONGEST_LINE) ?? '') ?? []
  return { method, target }
}

/** The parser counts the target as part of the headers; a first packet that is all request line tells them apart. */
const isLongTarget = (packet: Buffer | undefined): boolean =>
  packet !== undefined && /^[A-Z]+ \S*$/.test(packet.toString('latin1', 0, LONGEST_TARGET))
