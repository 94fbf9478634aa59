import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { KnownHead } from './page.ts'

/** How long a connection that asks for nothing more is kept, and how every answer says so. */
export const KEEP_ALIVE_MS = 5_000
export const KEEP_ALIVE = `timeout=${KEEP_ALIVE_MS / 1000}`

/**
 * Where `node:http` keeps a head between writing and sending it: not documented, and the same in every version since its
 * first. Where it is not found, the head is written the documented way, which looks at every line of it anew (a sixth of what
 * a cached answer costs, measured).
 */
interface WrittenHead {
  _header?: string | null
}

/** Sends an answer of which everything was known before but the request's id and, flat, the names and values of `more`. */
export function sendKnown(
  outgoing: ServerResponse,
  head: KnownHead,
  id: string,
  body: Buffer | undefined,
  more: readonly string[] = [],
): void {
  const written = outgoing as WrittenHead
  if (written._header === null && outgoing.shouldKeepAlive) {
    head.text ??= headStart(head)
    outgoing.statusCode = head.status
    written._header = `${head.text}${id}${linesOf(more)}${headEnd()}`
  } else outgoing.writeHead(head.status, [...head.headers, 'X-Request-Id', id, ...more])
  // Ending with an empty body would cost double.
  if (body === undefined) outgoing.end()
  else outgoing.end(body)
}

/** Everything up to the request's id. */
const headStart = ({ status, headers }: KnownHead): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}${linesOf(headers)}\r\nX-Request-Id: `

/** Each on a line of its own, the line before not yet ended. */
function linesOf(headers: readonly string[]): string {
  let text = ''
  for (let at = 0; at + 1 < headers.length; at += 2) text += `\r\n${headers[at]}: ${headers[at + 1]}`
  return text
}

let [ending, endingSecond] = ['', 0]

/** Everything after the request's id; the same for a second. */
function headEnd(): string {
  const nowMs = Date.now()
  const second = Math.floor(nowMs / 1000)
  if (second !== endingSecond) {
    const lines = [`Date: ${new Date(nowMs).toUTCString()}`, 'Connection: keep-alive', `Keep-Alive: ${KEEP_ALIVE}`]
    ending = `\r\n${lines.join('\r\n')}\r\n\r\n`
    endingSecond = second
  }
  return ending
}
