import { z } from 'zod'
import { formatTimestamp, parseTimestamp } from '../../src/domain/time/timestamp.ts'
import { recordSchema, type WrittenRecord } from '../../src/wire/records.ts'

/** One line of the samples: an unpaid GET of a listed address. */
const outcome = z.object({
  url: z.string(),
  at: z.string().transform((text, context) => {
    const us = parseTimestamp(text)
    if (us !== undefined) return formatTimestamp(us)
    context.addIssue({ code: 'custom', message: 'not a time' })
    return z.NEVER
  }),
  status: z.int().nullable(),
  /** Not measured for some unreachable ones. */
  latencyMs: z.int().nullable(),
  error: z.string().nullable(),
})

interface FixtureRecords {
  readonly records: readonly WrittenRecord[]
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

/** The samples' lines as `probe` records; what our rules refuse is named and left out. */
export function fixtureRecords(text: string): FixtureRecords {
  const schema = recordSchema([])
  const records: WrittenRecord[] = []
  const refused: { line: number; reason: string }[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const { url, at, status, latencyMs, error } = outcome.parse(JSON.parse(line))
    const record: WrittenRecord = {
      kind: 'probe',
      method: 'GET',
      url,
      rail: 'x402',
      date: at,
      http_status: status,
      latency_ms: latencyMs ?? 0,
      error,
    }
    const [issue] = schema.safeParse(record).error?.issues ?? []
    if (issue) refused.push({ line: index + 1, reason: `${issue.path.join('.')}: ${issue.message}` })
    else records.push(record)
  }
  return { records, refused }
}
