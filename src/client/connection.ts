/** Where a directory is, and the ways out of this program. */
export interface ClientOptions {
  /** Such as `https://tollbook.example`. */
  readonly baseUrl: string
  /** The platform's own unless given. */
  readonly fetch?: typeof globalThis.fetch
  /** How long one answer is waited for, from asking to its last byte; 60 s unless given. */
  readonly deadlineMs?: number
}

/** Longer than a directory waits for a settlement. */
const DEADLINE_MS = 60_000

export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
}

export const createConnection = (options: ClientOptions): Connection => {
  const { baseUrl, fetch = globalThis.fetch, deadlineMs = DEADLINE_MS } = options
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // Browsers refuse a fetch that is called as the method of something else.
    fetch: (input, init) => fetch(input, { signal: AbortSignal.timeout(deadlineMs), ...init }),
  }
}
