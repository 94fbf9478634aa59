import type { Socket } from 'node:net'
import { type EgressError, EgressFault } from './errors.ts'

/** In bytes, over all heads of an answer: informational ones and the final one. Real challenges reach 27 kB. */
export const MOST_HEAD_BYTES = 128 * 1024
export const MOST_HEAD_LINES = 500
const HEAD_STEP_BYTES = 16 * 1024

/** Bytes in a row, after the head, without any body in them: chunk sizes, chunk extensions, trailers. */
const MOST_BYTES_WITHOUT_BODY = 4 * 1024
const BODY_STEP_BYTES = 4 * 1024

const LINE_FEED = 0x0a

/**
 * Bounds what undici's parser takes in. Its own limit counts the letters of one head: informational answers without
 * end, 30,000 one-letter header lines (8 MB in memory) and trailers pass under it. So its reads are made small, end
 * with each head, and are counted before it sees them; beyond a limit the socket ends with a fault, which it hands on.
 */
export class Reading {
  readonly #socket: Socket
  #inHead = true
  #headBytes = 0
  #headLines = 0
  /** Bytes of the head's current line that came with earlier pieces. */
  #lineBytes = 0
  #bytesWithoutBody = 0

  constructor(socket: Socket) {
    this.#socket = socket
    const read = socket.read.bind(socket)
    socket.read = (size?: number) => {
      // The stream's own machinery reads 0 bytes to have more fetched; the parser reads without a size.
      if (size !== undefined) return read(size)
      const step = Math.min(this.#inHead ? HEAD_STEP_BYTES : BODY_STEP_BYTES, socket.readableLength)
      const chunk: unknown = step === 0 ? read() : read(step)
      if (!(chunk instanceof Uint8Array)) return null
      return this.#inHead ? this.#takeHead(chunk) : this.#takeBody(chunk)
    }
  }

  /** The final head is complete: what follows is body and its framing. */
  headDone(): void {
    this.#inHead = false
  }

  bodyArrived(): void {
    this.#bytesWithoutBody = 0
  }

  /** The piece up to a blank line: behind it comes body, whose lines are no headers, or another head. */
  #takeHead(chunk: Uint8Array): Uint8Array | null {
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
    if (end < chunk.length) this.#socket.unshift(chunk.subarray(end))
    return chunk.subarray(0, end)
  }

  /** The piece at hand may hold body, so it counts against the next one. */
  #takeBody(chunk: Uint8Array): Uint8Array | null {
    if (this.#bytesWithoutBody > MOST_BYTES_WITHOUT_BODY)
      return this.#refuse('protocol_error', `more than ${MOST_BYTES_WITHOUT_BODY} bytes of framing without any body`)
    this.#bytesWithoutBody += chunk.length
    return chunk
  }

  #refuse(kind: EgressError, message: string): null {
    this.#socket.destroy(new EgressFault(kind, message))
    return null
  }
}
