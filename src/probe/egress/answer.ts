import type { EgressError } from './errors.ts'

export type HeaderPair = readonly [name: string, value: string]

/** How long each stage took, in whole milliseconds; `null` for a stage that did not happen or did not end. */
export interface Timings {
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  /** From the request's sending to the complete final head. */
  readonly firstByteMs: number | null
}

interface Measured {
  /** Whole milliseconds from the call to the end of what was read, or to the failure. */
  readonly latencyMs: number
  readonly timings: Timings
}

export interface EgressReply {
  readonly status: number
  /** As sent: original order and case, duplicates kept, bytes as Latin-1. */
  readonly headers: readonly HeaderPair[]
  /** As whoever pays reads it: out of gzip, deflate and br. */
  readonly body: Uint8Array
  /** What the body still is in: a coding that is not read here, or that it does not keep to. `null`: in none. */
  readonly coding: string | null
  readonly bodyTruncated: boolean
}

export interface EgressSuccess extends Measured, EgressReply {
  readonly ok: true
  readonly remoteAddress: string
}

export interface EgressFailure extends Measured {
  readonly ok: false
  readonly error: EgressError
  readonly remoteAddress: string | null
  /** What had arrived before the failure, if the final head had: a status was seen even though the body never ended. */
  readonly partial: EgressReply | null
}

export type EgressAnswer = EgressSuccess | EgressFailure
