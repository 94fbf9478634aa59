import type { SupportLevel } from '../support-level.ts'
import { formatMinute, type TimestampUs } from '../time/timestamp.ts'

/** What a buyer got for a paid call, in the buyer's own words. */
export interface Outcome {
  /** `null`: no answer came after the payment. */
  readonly httpStatus: number | null
  /** From the payment on. */
  readonly latencyMs: number
  /** Of the answer; `null` where the buyer does not say. Not among the signed lines. */
  readonly bytes: number | null
  /** Of the answer, lower-case hex. */
  readonly contentSha256: string | null
}

/** What of it is signed. */
export type SignedOutcome = Pick<Outcome, 'httpStatus' | 'latencyMs' | 'contentSha256'>

/** Longer than anybody waits for an answer: a day. */
export const LONGEST_OUTCOME_MS = 86_400_000

/** The line that a wallet signs: `outcome 500 812 none`. */
export const outcomeLine = ({ httpStatus, latencyMs, contentSha256 }: SignedOutcome): string =>
  `outcome ${httpStatus ?? 'none'} ${latencyMs} ${contentSha256 ?? 'none'}`

export const isServed = ({ httpStatus }: Pick<Outcome, 'httpStatus'>): boolean =>
  httpStatus !== null && httpStatus < 400

/** Paid calls that were reported at one level. Never joined with what probes saw. */
export interface PaidCalls {
  readonly served: number
  readonly notServed: number
}

export type PaidCallsByLevel = Readonly<Record<SupportLevel, PaidCalls>>

const REPORTED: Readonly<Record<SupportLevel, string>> = {
  'Verified buyer': 'by verified buyers',
  Signed: 'with a signature alone',
  Unsigned: 'without a signature',
}

export const reportedCalls = ({ served, notServed }: PaidCalls): number => served + notServed

/** `Paid calls reported by verified buyers: 12 · 11 served · 1 not served` */
export const paidCallsLine = (level: SupportLevel, calls: PaidCalls): string =>
  `Paid calls reported ${REPORTED[level]}: ${reportedCalls(calls)} · ${calls.served} served · ${calls.notServed} not served`

/** A call that a verified buyer paid for and was not served, with what shows the payment. */
export interface NotServed {
  /** The review that says so. */
  readonly review: string
  readonly httpStatus: number | null
  readonly latencyMs: number
  readonly network: string
  readonly transaction: string
  readonly reportedUs: TimestampUs
}

/** `HTTP 500`, or `no answer` */
export const answerWords = (httpStatus: number | null): string =>
  httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`

/** `Not served: HTTP 500 after 812 ms, paid by 0x… on eip155:8453, reported 2026-11-14 12:34` */
export const notServedLine = ({ httpStatus, latencyMs, network, transaction, reportedUs }: NotServed): string =>
  `Not served: ${answerWords(httpStatus)} after ${latencyMs} ms, paid by ${transaction} on ${network}, reported ${formatMinute(reportedUs)}`
