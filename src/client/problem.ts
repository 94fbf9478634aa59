import { type ProblemDocument, problem as problemSchema } from '../wire/api/problem.ts'

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

export function refusalIn(status: number, text: string): RefusedError {
  return new RefusedError(status, problemIn(text))
}

function problemIn(text: string): ProblemDocument | undefined {
  try {
    return problemSchema.parse(JSON.parse(text))
  } catch {
    // A proxy in between answers in its own form.
    return undefined
  }
}
