import type { Socket } from 'node:net'
import { EgressFault } from './errors.ts'

/** In bytes, over all heads of an answer: informational ones and the final one. Real challenges reach 27 kB. */
export const MOST_HEAD_BYTES = 128 * 1024
export const MOST_HEAD_LINES = 500

/** Bytes that may arrive after the head without any body in them: chunk sizes, chunk extensions, trailers. */
const MOST_BYTES_WITHOUT_BODY = 16 * 1024
const STEP_BYTES = 4 * 1024

const LINE_FEED = 0x0a

/**
 * Bounds what undici's parser takes in. Its own limit counts the letters of one head: informational answers without
 * end, 30,000 one-letter header lines (8 MB in memory) and trailers pass under it. So its reads are made small and
 * counted here; beyond a limit the socket ends with the fault, which the parser hands on.
 */
export class Reading {
  #inHead = true
  #headBytes = 0
  #headLines = 0
  #bytesWithoutBody = 0

  constructor(socket: Socket) {
    const read = socket.read.bind(socket)
    socket.read = (size?: number) => {
      // The stream's own machinery reads 0 bytes to have more fetched; the parser reads without a size.
      if (size !== undefined) return read(size)
      const step = Math.min(STEP_BYTES, socket.readableLength)
      const chunk: unknown = step === 0 ? read() : read(step)
      if (!(chunk instanceof Uint8Array)) return null
      const fault = this.#count(chunk)
      if (fault === undefined) return chunk
      socket.destroy(fault)
      return null
    }
  }

  /** The final head is complete: what follows is body and its framing. */
  headDone(): void {
    this.#inHead = false
  }

  bodyArrived(): void {
    this.#bytesWithoutBody = 0
  }

  #count(chunk: Uint8Array): EgressFault | undefined {
    if (!this.#inHead) {
      this.#bytesWithoutBody += chunk.length
      const most = MOST_BYTES_WITHOUT_BODY
      if (this.#bytesWithoutBody <= most) return undefined
      return new EgressFault('protocol_error', `more than ${most} bytes of framing without any body`)
    }
    this.#headBytes += chunk.length
    this.#headLines += linesOf(chunk)
    if (this.#headBytes <= MOST_HEAD_BYTES + STEP_BYTES && this.#headLines <= MOST_HEAD_LINES) return undefined
    return new EgressFault('headers_overflow', `more than ${MOST_HEAD_BYTES} bytes or ${MOST_HEAD_LINES} lines`)
  }
}

/** Lines that end within a piece of a head. After a blank line comes body or another head: not counted in this piece. */
function linesOf(chunk: Uint8Array): number {
  let lines = 0
  let from = 0
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
    lines += 1
    if (lines > 1 && at - from <= 1) return lines
    from = at + 1
  }
  return lines
}
