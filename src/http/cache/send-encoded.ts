import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Encoded } from './page.ts'

/** How long a connection that asks for nothing more is kept, and how every answer says so. */
export const KEEP_ALIVE_MS = 5_000
export const KEEP_ALIVE = `timeout=${KEEP_ALIVE_MS / 1000}`

type Status = 200 | 304

/**
 * Where `node:http` keeps a head between writing and sending it: not documented, and the same in every version since its
 * first. Where it is not found, the head is written the documented way, which looks at every line of it anew (a sixth of what
 * a cached answer costs, measured).
 */
interface WrittenHead {
  _header?: string | null
}

/** Sends a page, or that it is still the one that the client has. The id is the only line of it that is not known before. */
export function sendEncoded(
  outgoing: ServerResponse,
  encoded: Encoded,
  { status, id, isHead }: { readonly status: Status; readonly id: string; readonly isHead: boolean },
): void {
  const written = outgoing as WrittenHead
  if (written._header === null && outgoing.shouldKeepAlive) {
    const { heads } = encoded
    heads[status] ??= headStart(status, headersOf(encoded, status))
    outgoing.statusCode = status
    written._header = `${heads[status]}${id}${headEnd()}`
  } else outgoing.writeHead(status, [...headersOf(encoded, status), 'X-Request-Id', id])
  if (status === 304 || isHead) outgoing.end()
  else outgoing.end(encoded.bytes)
}

export const headersOf = ({ ok, notModified }: Encoded, status: Status): readonly string[] =>
  status === 304 ? notModified : ok

/** Everything up to the request's id. */
function headStart(status: Status, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return `${text}X-Request-Id: `
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
