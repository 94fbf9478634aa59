import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { formatSignedAt, isStale, signedAtFault } from '../wire/signed-at.ts'

/** Lines that name a directory are good for that one alone. */
export function requireHere(what: 'review' | 'claim' | 'statement', named: string | null, here: string): void {
  if (named === null || named === here) return
  throw problem('invalid-field', `The ${what} was signed for the directory ${named}, and this one is ${here}.`, {
    hint: `Sign the line "directory ${here}", or send it where it was signed for.`,
    more: { field: 'directory' },
  })
}

/** Of a signing time that is not taken. Whose clock is wrong sees by how much. */
export const untimely = (fault: string, nowUs: TimestampUs): Problem =>
  problem('invalid-signed-at', `${fault}.`, {
    hint: `Here it is ${formatSignedAt(nowUs)}. Sign again with the current time, in this form.`,
    more: { field: 'signed_at' },
  })

/** Why something comes too late to be new, or `null`; throws when its signing time can never have been right. */
export function lateness({ signedAt }: { readonly signedAt: string }, nowUs: TimestampUs): Problem | null {
  const fault = signedAtFault(signedAt, nowUs)
  if (fault === undefined) return null
  const refusal = untimely(fault, nowUs)
  if (isStale(signedAt, nowUs)) return refusal
  throw refusal
}
