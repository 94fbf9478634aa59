import { type NotServed, notServedLine, type PaidCallsByLevel } from '../../../../domain/buyers/outcome.ts'
import { paidCallsLines } from '../../../buyers/paid-calls.ts'
import { reviewHref } from '../../../site.ts'

interface PaidCallsProps {
  readonly calls: PaidCallsByLevel
  readonly notServed?: readonly NotServed[]
}

/** What buyers say of calls that they paid for, a line a level, and with their payments those that were not served. */
export const PaidCalls = ({ calls, notServed = [] }: PaidCallsProps) => {
  const lines = paidCallsLines(calls)
  return (
    <>
      {lines.map((line) => (
        <p key={line} class="cut">
          {line}
        </p>
      ))}
      {notServed.length > 0 && (
        <ul class="lines">
          {notServed.map((call) => (
            <li key={call.review}>
              <a href={reviewHref(call.review)}>{notServedLine(call)}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
