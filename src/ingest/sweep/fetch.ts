/** What a sweep asks of the door to strangers: one GET, bounded in bytes and in time. */
export interface FetchRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A longer body is the error `body_overflow`. */
  readonly maxBytes: number
  /** For everything together, from the lookup to the last byte. */
  readonly deadlineMs: number
}

export interface FetchReply {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

export interface FetchSuccess extends FetchReply {
  readonly ok: true
}

export interface FetchFailure {
  readonly ok: false
  /** A word of the door's closed vocabulary, e.g. `deadline`. */
  readonly error: string
  /** What had arrived before the failure. */
  readonly partial?: FetchReply | null
}

export type FetchAnswer = FetchSuccess | FetchFailure

/** Never rejects: whatever goes wrong is an answer. Redirects are not followed. */
export type Fetch = (request: FetchRequest) => Promise<FetchAnswer>

export function headerOf(answer: FetchReply, name: string): string | null {
  return answer.headers.find(([written]) => written.toLowerCase() === name)?.[1] ?? null
}
