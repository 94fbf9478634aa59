import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { retryAfterMs } from '../../wire/retry-after.ts'
import { type Fetch, type FetchAnswer, type FetchSuccess, headerOf } from './fetch.ts'
import { backoffMs, isLasting, isPassing, type Patience } from './patience.ts'

/** What a document said about its own version, sent back to ask whether it changed. */
export interface Version {
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface Question {
  readonly url: string
  readonly version: Version | null
  readonly maxBytes: number
  readonly deadlineMs: number
  readonly patience: Patience
  /** No waiting past this moment. */
  readonly untilUs: TimestampUs
}

interface Failure {
  /** A word of the door's vocabulary, `http_<status>`, `invalid_json`, `rate_limited`, `sweep_time` or `interrupted`. */
  readonly error: string
  readonly status: number | null
  readonly body: Uint8Array | null
  /** The header, as it was sent. */
  readonly retryAfter?: string | null
}

export type Asked =
  | {
      readonly kind: 'document'
      readonly document: unknown
      readonly version: Version | null
      readonly body: Uint8Array
    }
  | { readonly kind: 'not_modified' }
  | ({ readonly kind: 'failed' } & Failure)

export interface Asking {
  readonly fetch: Fetch
  readonly now: () => TimestampUs
  readonly sleep: (ms: number) => Promise<void>
  /** In [0, 1). */
  readonly random: () => number
  readonly signal?: AbortSignal | undefined
}

function headersFor(version: Version | null): Record<string, string> {
  return {
    accept: 'application/json',
    ...(version?.etag && { 'if-none-match': version.etag }),
    ...(version?.lastModified && { 'if-modified-since': version.lastModified }),
  }
}

function versionOf(answer: FetchSuccess): Version | null {
  const version = { etag: headerOf(answer, 'etag'), lastModified: headerOf(answer, 'last-modified') }
  return version.etag === null && version.lastModified === null ? null : version
}

function parsed(body: Uint8Array): { readonly document: unknown } | undefined {
  try {
    return { document: JSON.parse(new TextDecoder().decode(body)) }
  } catch {
    return undefined
  }
}

/** One answer, as a document or as a failure that may be tried again. */
function read(answer: FetchAnswer): Asked & { readonly again?: boolean } {
  if (!answer.ok) {
    const { error, partial } = answer
    return {
      kind: 'failed',
      error,
      status: partial?.status ?? null,
      body: partial?.body ?? null,
      again: !isLasting(error),
      // The head of an answer that was cut short says what it says.
      retryAfter: partial ? headerOf(partial, 'retry-after') : null,
    }
  }
  const { status, body } = answer
  if (status === 304) return { kind: 'not_modified' }
  if (status !== 200) {
    const retryAfter = headerOf(answer, 'retry-after')
    return { kind: 'failed', error: `http_${status}`, status, body, again: isPassing(status), retryAfter }
  }
  const document = parsed(body)
  if (document === undefined) return { kind: 'failed', error: 'invalid_json', status, body, again: true }
  return { kind: 'document', document: document.document, version: versionOf(answer), body }
}

/** Asks until there is an answer or patience ends; one request in flight at a time. */
export async function ask(question: Question, asking: Asking): Promise<Asked> {
  const { url, maxBytes, deadlineMs, patience } = question
  for (let attempt = 1; ; attempt += 1) {
    const answer = await asking.fetch({ url, headers: headersFor(question.version), maxBytes, deadlineMs })
    const { again = false, ...asked } = read(answer)
    if (asked.kind !== 'failed' || !again || attempt >= patience.attempts) return asked
    const nowUs = asking.now()
    const told = retryAfterMs(asked.retryAfter, nowUs / 1000)
    if (told !== undefined && told > patience.longestRetryAfterMs) return { ...asked, error: 'rate_limited' }
    const waitMs = Math.max(told ?? 0, backoffMs(attempt, patience, asking.random()))
    if (nowUs + waitMs * 1000 > question.untilUs) return { ...asked, error: 'sweep_time' }
    await asking.sleep(waitMs)
    if (asking.signal?.aborted) return { ...asked, error: 'interrupted' }
  }
}
