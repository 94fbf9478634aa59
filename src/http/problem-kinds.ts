import { Problem } from '../domain/problem.ts'

/** What every problem of one kind has in common; its page under `/problems/` says the same. */
export interface ProblemKind {
  readonly status: number
  readonly title: string
  /** When it happens, for the page. */
  readonly meaning: string
  /** What the caller can do next. */
  readonly hint: string
}

export const PROBLEM_KINDS = {
  'bad-request': {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request does not follow HTTP in a way that two programs would read alike, so it is not answered.',
    hint: 'Send a plain HTTP/1.1 request with one Host header and a correctly percent-encoded address.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'A parameter of the address has a value that it cannot have.',
    hint: 'Correct the parameter or leave it out.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'Invalid cursor',
    meaning: 'A cursor is only ever taken from the `next` address of an earlier page; this one is not.',
    hint: 'Leave the cursor out to start at the first page, then follow `next`.',
  },
  'invalid-host': {
    status: 400,
    title: 'Not a seller host',
    meaning: 'A seller host is a public DNS name, with a port when it is not the default one.',
    hint: 'Write the host as in its address, for example api.example.com.',
  },
  'invalid-json': {
    status: 400,
    title: 'Unreadable JSON body',
    meaning: 'The body is not one JSON text in UTF-8, is nested too deeply, or names a field twice.',
    hint: 'Send one JSON object, every field once, at most 10 levels deep.',
  },
  'upgrade-refused': {
    status: 400,
    title: 'Protocol upgrade refused',
    meaning: 'This server speaks HTTP/1.1 and never switches protocols.',
    hint: 'Send the request again without the Upgrade header.',
  },
  'unknown-host': {
    status: 404,
    title: 'Unknown seller host',
    meaning: 'No listing source has named this host, so there is nothing to show.',
    hint: 'Check the spelling, or search for the host at the home page.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing here',
    meaning: 'This directory has no such address.',
    hint: 'Start at the home page, or at /v1/hosts for JSON.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address exists and does not take this method.',
    hint: 'Use one of the methods in the Allow header.',
  },
  'not-acceptable': {
    status: 406,
    title: 'No acceptable representation',
    meaning: 'None of the forms in which this page exists is one that the request accepts.',
    hint: 'Ask for one of the available forms.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request took too long',
    meaning: 'The request did not arrive in full in time.',
    hint: 'Send the whole request at once.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    meaning: 'A request body may have at most 16 KiB.',
    hint: 'Send a shorter body.',
  },
  'target-too-long': {
    status: 414,
    title: 'Address too long',
    meaning: 'The path and query of a request may have at most 4,096 characters.',
    hint: 'Shorten the query.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported body format',
    meaning: 'Bodies are JSON in UTF-8 without content coding.',
    hint: 'Send the header Content-Type: application/json.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Unknown expectation',
    meaning: 'The only expectation this server can meet is 100-continue.',
    hint: 'Leave the Expect header out.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning: 'Requests are limited per IPv4 address or IPv6 /64 network, so that everybody gets an answer.',
    hint: 'Wait as long as the Retry-After header says, and use If-None-Match to ask cheaply.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The headers of the request are larger than this server reads.',
    hint: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'Something failed inside this directory; the operator finds it in the log by the request id.',
    hint: 'Try again later; when it stays, tell the operator the request id.',
  },
  'not-ready': {
    status: 503,
    title: 'Not ready',
    meaning: 'The store behind this directory does not answer right now.',
    hint: 'Try again in a few seconds.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>

export type ProblemSlug = keyof typeof PROBLEM_KINDS

export interface ProblemParticulars {
  readonly hint?: string
  readonly more?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A problem of a known kind. `detail` says what is wrong with this very request. */
export function problem(slug: ProblemSlug, detail: string, particulars: ProblemParticulars = {}): Problem {
  const kind = PROBLEM_KINDS[slug]
  return new Problem(
    slug,
    kind.status,
    kind.title,
    detail,
    particulars.hint ?? kind.hint,
    particulars.more,
    particulars.headers,
  )
}

const BY_SLUG: ReadonlyMap<string, ProblemKind> = new Map(Object.entries(PROBLEM_KINDS))

export const problemKind = (slug: string): ProblemKind | undefined => BY_SLUG.get(slug)
