import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Coding } from '../negotiation.ts'
import type { Head } from '../server/head.ts'
import { type Slot, standingIn } from './cache.ts'
import { etagMatches } from './etag.ts'
import { sendKnown } from './send-known.ts'

/** A request as it was written, and the cached bytes that answering it led to. */
interface Lane {
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
  readonly slot: Slot
  readonly coding: Coding
}

const MOST_TARGETS = 8192
const MOST_LANES = 4
const LONGEST_TARGET = 512
const LONGEST_HEADER = 256

/**
 * Answers from cached bytes before the application sees the request. It only repeats what the application once decided
 * for the very same target and headers, so it parses and negotiates nothing; bounded, first learned is forgotten first.
 */
export class Front {
  readonly #lanes = new Map<string, Lane[]>()

  constructor(
    private readonly epoch: () => number,
    private readonly nextId: (given: string | undefined) => string,
  ) {}

  /** Whether it answered; if not, nothing was written. The caller has checked the head. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse, head: Head): boolean {
    const lanes = this.#lanes.get(incoming.url ?? '')
    if (lanes === undefined) return false
    const { method } = incoming
    if (method !== 'GET' && method !== 'HEAD') return false
    for (const lane of lanes) {
      if (lane.accept !== head.accept || lane.acceptEncoding !== head.acceptEncoding) continue
      const { slot } = lane
      const encoded = standingIn(slot, this.epoch)?.ready(lane.coding)
      if (encoded === undefined) return false
      slot.used = true
      const same = head.ifNoneMatch !== undefined && etagMatches(head.ifNoneMatch, encoded.etag)
      const body = same || method === 'HEAD' ? undefined : encoded.bytes
      sendKnown(outgoing, same ? encoded.notModified : encoded.ok, this.nextId(head.requestId), body)
      return true
    }
    return false
  }

  /** Remembers where a checked request was led. Only paths: an absolute target is checked against Host every time. */
  learn(target: string, head: Head, slot: Slot, coding: Coding): void {
    const { accept, acceptEncoding } = head
    if (!target.startsWith('/') || target.length > LONGEST_TARGET) return
    if ((accept?.length ?? 0) > LONGEST_HEADER || (acceptEncoding?.length ?? 0) > LONGEST_HEADER) return
    const lanes = this.#lanes.get(target) ?? this.#add(target)
    const at = lanes.findIndex((lane) => lane.accept === accept && lane.acceptEncoding === acceptEncoding)
    if (at !== -1) lanes.splice(at, 1)
    else if (lanes.length === MOST_LANES) lanes.shift()
    lanes.push({ accept, acceptEncoding, slot, coding })
  }

  #add(target: string): Lane[] {
    if (this.#lanes.size >= MOST_TARGETS) {
      const first = this.#lanes.keys().next()
      if (!first.done) this.#lanes.delete(first.value)
    }
    const lanes: Lane[] = []
    this.#lanes.set(target, lanes)
    return lanes
  }
}
