import { Problem } from './problem.ts'

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
    meaning: 'A cursor is only ever taken from the next address of an earlier page; this one is not.',
    hint: 'Leave the cursor out to start at the first page, then follow its next address.',
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
  'invalid-field': {
    status: 400,
    title: 'Invalid field',
    meaning: 'A field of the body is missing, unknown, of the wrong type or outside its range.',
    hint: 'Correct the field that the problem names and send the request again.',
  },
  'invalid-text': {
    status: 400,
    title: 'Text not taken',
    meaning:
      'Texts are 1 to 4,000 characters of well-formed Unicode without control, bidirectional, tag or private-use characters.',
    hint: 'Correct the text, sign it again and send it again.',
  },
  'invalid-signed-at': {
    status: 400,
    title: 'Signing time not taken',
    meaning: 'A signature counts for 10 minutes from its signed_at, which may be 2 minutes ahead at most.',
    hint: 'Sign again with the current time, written like 2026-11-14T12:34:56Z in UTC.',
  },
  'malformed-payment': {
    status: 400,
    title: 'Unreadable payment',
    meaning: 'The payment header is not one that its rail defines, so nothing was charged.',
    hint: 'Ask without a payment header first, and pay what the 402 answer names.',
  },
  'invalid-signature': {
    status: 401,
    title: 'Invalid signature',
    meaning:
      'The signature is not one of the named wallet over the lines that this directory defines, in its canonical form.',
    hint: 'Sign the exact lines, joined by one line feed each, with none at the end.',
  },
  'payment-required': {
    status: 402,
    title: 'Payment required',
    meaning: 'A post to a thread is paid for. This answer names the price, the networks and the payee.',
    hint: 'Pay with a client of the rail and send the same request with its credential.',
  },
  'payment-refused': {
    status: 402,
    title: 'Payment not accepted',
    meaning: 'The credential does not pay for this request, so nothing was charged. The answer holds a fresh demand.',
    hint: 'Make a new credential from this answer and send the same request with it.',
  },
  'payer-not-signer': {
    status: 403,
    title: 'Payer is not the signer',
    meaning:
      'A post is paid by the very wallet that signs it, so that nobody can use the payment of another. Nothing was charged.',
    hint: 'Pay and sign with the same wallet.',
  },
  'seller-unproven': {
    status: 403,
    title: 'Not proven to be the seller',
    meaning: 'Only a wallet that has proved to speak for the host may say something as its seller.',
    hint: 'Prove it with POST /v1/claims first; the problem says what was tried and what is missing.',
  },
  'origin-refused': {
    status: 403,
    title: 'Foreign origin refused',
    meaning: 'A web page of another origin asked for something that is answered to programs only.',
    hint: 'Ask from a program, without an Origin header, or from a page of this directory.',
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
    hint: 'Ask for one of near_matches, or search for a word of its name at /v1/hosts. A host is listed once a source of /sources names it, or whoever runs this directory adds it.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing here',
    meaning: 'This directory has no such address.',
    hint: 'Start at the home page, or at /v1/hosts for JSON.',
  },
  'unknown-route': {
    status: 404,
    title: 'Unknown route',
    meaning: 'No listing source has named this route of the host, on this rail.',
    hint: 'Use method, address and rail as the host view lists them.',
  },
  'unknown-writing': {
    status: 404,
    title: 'No such review or post',
    meaning: 'No review or post has this id.',
    hint: 'Take the id from the href of a review or post.',
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
  'payment-conflict': {
    status: 409,
    title: 'Payment or name already used',
    meaning:
      'This credential, its payment-identifier or the Idempotency-Key belongs to another request that this directory took earlier. Nothing was charged again.',
    hint: 'Send the earlier request unchanged to get its answer, or pay anew.',
  },
  'claim-unproven': {
    status: 409,
    title: 'Claim not proven',
    meaning: 'The signature is the wallet’s, and nothing was found that binds the wallet to the host.',
    hint: 'Do one of the things that the problem names, and send a freshly signed claim.',
  },
  'too-many-claims': {
    status: 409,
    title: 'Too many wallets speak for the host',
    meaning:
      'So many wallets speak for the host already that one more is not taken. Those whose proofs ended do not count.',
    hint: 'Take away the proof of a wallet that is not to speak any more, and send a freshly signed claim.',
  },
  'statement-without-effect': {
    status: 409,
    title: 'Statement cannot take effect',
    meaning: 'What the statement asks for cannot be done as things are, so it was not stored.',
    hint: 'The problem says what is missing.',
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
  'log-off': {
    status: 503,
    title: 'No evidence log',
    meaning: 'The operator of this directory has set no key to sign the evidence log with.',
    hint: 'Ask the operator to set LOG_KEY; what is shown is not provable until then.',
  },
  'log-stopped': {
    status: 503,
    title: 'Evidence log stopped',
    meaning:
      'What is stored does not go on from what was published, as after restoring an old backup; signing it would give one log two histories.',
    hint: 'Keep the newest checkpoint that you have seen. The operator is to restore a newer backup or to begin a new log.',
  },
  'rail-not-configured': {
    status: 503,
    title: 'Rail not configured',
    meaning: 'The operator of this directory has not set up payments on this rail. Nothing was charged.',
    hint: 'Ask the operator to set the variables that the problem names.',
  },
  'payment-backend': {
    status: 503,
    title: 'Payment cannot be checked now',
    meaning: 'The facilitator or node that checks payments does not answer. Nothing was charged.',
    hint: 'Send the same request again after the Retry-After time.',
  },
  'signature-unchecked': {
    status: 503,
    title: 'Signature cannot be checked now',
    meaning: 'The signature may be one of a smart wallet, and the node that could tell does not answer.',
    hint: 'Send the same request again after the Retry-After time.',
  },
  'too-many-streams': {
    status: 503,
    title: 'Too many streams',
    meaning: 'This directory keeps a bounded number of event streams open, a few for each address, and they are taken.',
    hint: 'Try again after the Retry-After time, or read pages of /v1/events as JSON.',
  },
  'store-full': {
    status: 503,
    title: 'No room left',
    meaning: 'The disk of this directory is full: it is read as before and takes nothing new until there is room.',
    hint: 'Send the same request again after the Retry-After time.',
  },
  busy: {
    status: 503,
    title: 'Busy',
    meaning: 'Words that no listing holds are looked for by their letters, a bounded number at a time.',
    hint: 'Try again after the Retry-After time, or check the spelling.',
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
