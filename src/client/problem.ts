import type { ProblemDocument } from '../wire/api/problem.ts'
import { maybe, number, outline, text as word } from './answers/outline.ts'

/** What a directory refuses, in its own words: `problem.hint` says what to do next. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    /** `undefined` when the answer was no problem document. */
    readonly problem: ProblemDocument | undefined,
  ) {
    super(problem === undefined ? `the directory answered HTTP ${status}` : `${problem.title}: ${problem.detail}`)
    this.name = 'RefusedError'
  }

  /** Whether money moved, as far as the directory knows; `undefined` where nothing is paid. */
  get charged(): boolean | 'pending' | undefined {
    return this.problem?.charged
  }
}

/** No answer came, or it was cut off. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  constructor(baseUrl: string, cause: unknown) {
    super(`${baseUrl} does not answer`, { cause })
  }
}

/** An answer came that no directory gives. Where something was paid, the payment may have been made. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
  constructor(
    readonly status: number,
    cause: unknown,
  ) {
    super(`the directory answered HTTP ${status} with something else than was asked for`, { cause })
  }
}

/** Why there is nothing to read of what was asked. */
export const noAnswerOf = (baseUrl: string, error: unknown): Error =>
  error instanceof UnreadableError || error instanceof RefusedError ? error : new NoAnswerError(baseUrl, error)

export const refusalIn = (status: number, text: string): RefusedError =>
  new RefusedError(status, problemIn(status, text))

const isProblem = outline<ProblemDocument>({
  ...{ type: word, title: word, status: number, detail: word, hint: word, request_id: word },
  charged: maybe((value) => value === true || value === false || value === 'pending'),
})

function problemIn(status: number, text: string): ProblemDocument | undefined {
  try {
    // What a proxy leaves out must not hide what the directory says of the payment.
    const document: unknown = { type: 'about:blank', status, hint: '', request_id: '', ...JSON.parse(text) }
    return isProblem(document) ? document : undefined
  } catch {
    // A proxy in between answers in its own form.
    return undefined
  }
}
