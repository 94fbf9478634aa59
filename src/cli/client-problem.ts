import { AboveLimitError, UnpaidError } from '../client/payer.ts'
import { NoAnswerError, RefusedError, UnreadableError } from '../client/problem.ts'
import { Problem } from '../domain/problem.ts'

const CHARGED = { true: 'the payment was made', false: 'nothing was charged', pending: 'the payment may be under way' }
const UNSAID = 'an earlier copy had no clear answer, and may have been charged'

/**
 * What the client rejects with, for one line; everything else as it is. `unanswered` says what no answer means;
 * `isOpen` that an earlier copy of a paid request was left without a clear answer.
 */
export function clientProblem(error: unknown, unanswered: string, isOpen = false): unknown {
  if (error instanceof RefusedError) return refused(error, isOpen)
  if (error instanceof AboveLimitError) {
    const detail = `it costs ${error.price} dollars, more than the limit of ${error.limit}`
    return unpaid(detail, 'nothing was signed; raise --max-cost to pay it')
  }
  if (error instanceof UnpaidError) return unpaid(error.message, error.hint)
  if (error instanceof NoAnswerError) return new Problem('no-answer', 503, 'No answer', unanswered, '')
  if (error instanceof UnreadableError) return unreadable(error)
  return error
}

/** What no answer of a directory means. */
export const unanswered = (to: string): string => `${new URL(to).origin} does not answer (name the directory with --to)`

const unreadable = ({ status, message }: UnreadableError): Problem =>
  new Problem('unreadable', status, 'Unreadable', message, 'look at its pages before you send it again')

function refused({ status, problem, message }: RefusedError, isOpen: boolean): Problem {
  if (problem === undefined) return new Problem('refused', status, 'Refused', message, '')
  const { title, hint, charged } = problem
  const detail = problem.detail.replace(/\.$/, '')
  // The directory speaks of this request alone, except where it asks for payment: then it has looked for an earlier one.
  const isUnsaid = isOpen && charged === false && status !== 402
  const moved = charged === undefined ? undefined : isUnsaid ? UNSAID : CHARGED[`${charged}`]
  const isSaid = moved === undefined || detail.toLowerCase().endsWith(moved)
  return new Problem('refused', status, title, isSaid ? detail : `${detail}; ${moved}`, hint)
}

/** Why nothing is paid. */
const unpaid = (detail: string, hint: string): Problem => new Problem('unpaid', 402, 'Not paid', detail, hint)
