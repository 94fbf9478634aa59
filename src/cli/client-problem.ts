import { AboveLimitError, UnpaidError } from '../client/payer.ts'
import { NoAnswerError, RefusedError, UnreadableError } from '../client/problem.ts'
import { Problem } from '../domain/problem.ts'

const CHARGED = { true: 'the payment was made', false: 'nothing was charged', pending: 'the payment may be under way' }

/** What the client rejects with, for one line; everything else as it is. `unanswered` says what no answer means. */
export function clientProblem(error: unknown, unanswered: string): unknown {
  if (error instanceof RefusedError) return refused(error)
  if (error instanceof AboveLimitError) {
    const detail = `it costs ${error.price} dollars, more than the limit of ${error.limit}`
    return unpaid(detail, 'nothing was signed; raise --max-cost to pay it')
  }
  if (error instanceof UnpaidError) return unpaid(error.message, error.hint)
  if (error instanceof NoAnswerError) return new Problem('no-answer', 503, 'No answer', unanswered, '')
  if (error instanceof UnreadableError) return unreadable(error)
  return error
}

const unreadable = ({ status, message }: UnreadableError): Problem =>
  new Problem('unreadable', status, 'Unreadable', message, 'look at its pages before you send it again')

function refused({ status, problem, message }: RefusedError): Problem {
  if (problem === undefined) return new Problem('refused', status, 'Refused', message, '')
  const { title, detail, hint, charged } = problem
  const moved = charged === undefined ? '' : `; ${CHARGED[`${charged}`]}`
  return new Problem('refused', status, title, `${detail.replace(/\.$/, '')}${moved}`, hint)
}

/** Why nothing is paid. */
const unpaid = (detail: string, hint: string): Problem => new Problem('unpaid', 402, 'Not paid', detail, hint)
