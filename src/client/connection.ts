/** Where a directory is, and the ways out of this program. */
export interface ClientOptions {
  /** Such as `https://tollbook.example`. */
  readonly baseUrl: string
  /** The platform's own unless given. */
  readonly fetch?: typeof globalThis.fetch
}

export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
}

export const createConnection = ({ baseUrl, fetch = globalThis.fetch }: ClientOptions): Connection => ({
  baseUrl: baseUrl.replace(/\/+$/, ''),
  // Browsers refuse a fetch that is called as the method of something else.
  fetch: (input, init) => fetch(input, init),
})
