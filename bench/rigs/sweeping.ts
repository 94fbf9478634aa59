import type { Ingesting } from '../../src/ingest/ingester.ts'
import { callsWith } from '../../src/ingest/testing/manners.ts'
import { createEgress, parseConnectTo } from '../../src/probe/egress.ts'

/** The list that the bench sweeps; `children/sweep-server.ts` serves it. */
export const SOURCE = { name: 'bazaar', kind: 'bazaar', address: 'http://facilitator.example' } as const

/** What a sweep needs beside a store: the real door, with no pause between pages. */
export function sweepingAt(port: number): Omit<Ingesting, 'store'> {
  const egress = createEgress({
    connectTo: parseConnectTo(`facilitator.example:80:127.0.0.1:${port}`),
    userAgent: 'tollbook-bench',
  })
  return {
    fetch: ({ url, headers, maxBytes, deadlineMs }) =>
      egress.fetch({ method: 'GET', url, headers, deadlineMs, maxBodyBytes: maxBytes, overflow: 'error' }),
    openLines: async function* () {},
    allow: [],
    calls: callsWith(),
    intervals: { usualMs: 3_600_000, ofSource: new Map() },
    by: 'bench',
    now: () => Math.round((performance.timeOrigin + performance.now()) * 1000),
    sleep: async () => undefined,
    random: () => 0.5,
    limits: { pauseMs: 0 },
  }
}
