import type { Socket } from 'node:net'
import { type EgressError, EgressFault } from './errors.ts'

/** In bytes, over all heads of an answer: informational ones and the final one. Real challenges reach 27 kB. */
export const MOST_HEAD_BYTES = 128 * 1024
const MOST_HEAD_LINES = 500

/** Bytes in a row, after the head, without any body in them: chunk sizes, chunk extensions, trailers. */
const MOST_BYTES_WITHOUT_BODY = 4 * 1024
const BODY_STEP_BYTES = 4 * 1024

const LINE_FEED = 0x0a

/**
 * Bounds what the parser takes in. Its own limit counts the letters of one head: informational answers without end,
 * 30,000 one-letter header lines (8 MB in memory) and trailers pass under it. So what arrives is handed on in small
 * pieces that end with each head, counted before it sees them; beyond a limit the socket ends with a fault.
 */
export class Reading {
  readonly #socket: Socket
  readonly #push: Socket['push']
  #inHead = true
  #headBytes = 0
  #headLines = 0
  /** Bytes of the head's current line that came with earlier pieces. */
  #lineBytes = 0
  #bytesWithoutBody = 0

  constructor(socket: Socket) {
    this.#socket = socket
    this.#push = socket.push.bind(socket)
    socket.push = (chunk: Uint8Array | null) => (chunk === null ? this.#push(null) : this.#take(chunk))
  }

  /** The final head is complete: what follows is body and its framing. */
  headDone(): void {
    this.#inHead = false
  }

  bodyArrived(): void {
    this.#bytesWithoutBody = 0
  }

  /** The parser sees each piece before the next one is looked at, because it may end the head. */
  #take(chunk: Uint8Array): boolean {
    let isMoreWanted = true
    for (let rest = chunk; rest.length > 0; ) {
      const length = this.#inHead ? this.#headPiece(rest) : this.#bodyPiece(rest)
      if (length === 0 || this.#socket.destroyed) return false
      isMoreWanted = this.#push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    return isMoreWanted
  }

  /** The length of the piece up to a blank line: behind it comes body, whose lines are no headers, or another head. */
  #headPiece(chunk: Uint8Array): number {
    let from = 0
    let length = 2
    for (let at = chunk.indexOf(LINE_FEED); at !== -1 && length > 1; at = chunk.indexOf(LINE_FEED, from)) {
      length = this.#lineBytes + at - from
      this.#lineBytes = 0
      this.#headLines += 1
      from = at + 1
    }
    const end = length > 1 ? chunk.length : from
    this.#lineBytes += end - from
    this.#headBytes += end
    if (this.#headBytes > MOST_HEAD_BYTES || this.#headLines > MOST_HEAD_LINES)
      return this.#refuse(
        'headers_overflow',
        `more than ${MOST_HEAD_BYTES} bytes or ${MOST_HEAD_LINES} lines of headers`,
      )
    return end
  }

  /** The piece at hand may hold body, so it counts against the next one. */
  #bodyPiece(chunk: Uint8Array): number {
    if (this.#bytesWithoutBody > MOST_BYTES_WITHOUT_BODY)
      return this.#refuse('protocol_error', `more than ${MOST_BYTES_WITHOUT_BODY} bytes of framing without any body`)
    const length = Math.min(BODY_STEP_BYTES, chunk.length)
    this.#bytesWithoutBody += length
    return length
  }

  #refuse(kind: EgressError, message: string): 0 {
    this.#socket.destroy(new EgressFault(kind, message))
    return 0
  }
}
