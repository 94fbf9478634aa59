import type { Severity } from '../../domain/guard/finding.ts'

export interface GuardFinding {
  /** A `FindingCode`, or one that only a newer directory knows. */
  readonly code: string
  readonly severity: Severity
  /** A fixed sentence with values. */
  readonly said: string
  /** The address of its evidence; empty where the guard itself found it. */
  readonly evidence: string
}

export interface Verdict {
  readonly allow: boolean
  readonly findings: readonly GuardFinding[]
}

/** What a guarded client rejects with when a payment is stopped. Nothing was signed. */
export class PaymentStopped extends Error {
  override readonly name = 'PaymentStopped'
  constructor(readonly verdict: Verdict) {
    super(reasonOf(verdict))
  }
}

/** Rejects with `PaymentStopped` unless the payment is allowed. */
export async function insist(asking: Promise<Verdict>): Promise<void> {
  const verdict = await asking
  if (!verdict.allow) throw new PaymentStopped(verdict)
}

/** Why, in one line. */
export const reasonOf = ({ findings }: Verdict): string =>
  findings.flatMap(({ severity, code, said }) => (severity === 'stop' ? `${code}: ${said}` : [])).join(' ')

export const allows = (findings: readonly GuardFinding[]): boolean =>
  findings.every(({ severity }) => severity !== 'stop')
