import {
  answerWords,
  isServed,
  type NotServed,
  notServedLine,
  type Outcome,
  type PaidCallsByLevel,
  paidCallsLine,
  reportedCalls,
} from '../../domain/buyers/outcome.ts'
import { LEVELS } from '../../domain/support-level.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { outcomeOut } from '../../wire/bodies/outcome-body.ts'
import { fullAddress, reviewHref, type Site } from '../site.ts'

/** One line for each level at which anybody reported a paid call. Levels are never added up, nor joined with probes. */
export const paidCallsLines = (calls: PaidCallsByLevel): string[] =>
  LEVELS.filter((level) => reportedCalls(calls[level]) > 0).map((level) => paidCallsLine(level, calls[level]))

/** What a buyer says that a paid call brought, above or beside the words. */
export function outcomeWords(outcome: Outcome): string {
  const served = isServed(outcome) ? 'served' : 'not served'
  const bytes = outcome.bytes === null ? [] : [`${outcome.bytes} bytes`]
  const digest = outcome.contentSha256 === null ? [] : [`SHA-256 ${outcome.contentSha256}`]
  return [`${served}: ${answerWords(outcome.httpStatus)} after ${outcome.latencyMs} ms`, ...bytes, ...digest].join(', ')
}

export const outcomeJson = (outcome: Outcome) => ({ ...outcomeOut(outcome), served: isServed(outcome) })

const notServedJson = (site: Site, call: NotServed) => ({
  http_status: call.httpStatus,
  latency_ms: call.latencyMs,
  payment: { network: call.network, transaction: call.transaction },
  reported_at: formatTimestamp(call.reportedUs),
  line: notServedLine(call),
  review: fullAddress(site, reviewHref(call.review)),
})

const NONE_REPORTED = { paid_calls: undefined }

/** Left out where nobody reported a paid call. */
export function paidCallsJson(site: Site, calls: PaidCallsByLevel, notServed: readonly NotServed[] | null) {
  const levels = LEVELS.filter((level) => reportedCalls(calls[level]) > 0)
  if (levels.length === 0) return NONE_REPORTED
  return {
    paid_calls: {
      by_level: levels.map((level) => ({
        level,
        reported: reportedCalls(calls[level]),
        served: calls[level].served,
        not_served: calls[level].notServed,
        line: paidCallsLine(level, calls[level]),
      })),
      ...(notServed === null ? {} : { not_served: notServed.map((call) => notServedJson(site, call)) }),
    },
  }
}
