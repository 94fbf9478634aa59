import type { FileReading, SellerFiles } from '../../acts/sellers/look.ts'
import { provesOwnership } from '../../ingest/host-proof.ts'
import type { Egress, EgressAnswer } from '../../probe/egress.ts'

const DEADLINE_MS = 10_000
/** Errors that are an answer of the host, or of whoever names its address: waiting does not help. */
const LASTING: ReadonlySet<string> = new Set(['blocked_address', 'body_overflow', 'headers_overflow'])

/** Sellers' own files through the guarded door: their addresses are checked, nothing is followed, bytes are bounded. */
export const sellerFilesOf = (egress: Egress, isOptedOut: (host: string) => boolean): SellerFiles => ({
  read: async (url, maxBytes) => {
    if (isOptedOut(new URL(url).host)) {
      return { kind: 'uncalled', why: 'the operator of this directory was asked not to call this host' }
    }
    const answer = await egress.fetch({
      ...{ method: 'GET', url, deadlineMs: DEADLINE_MS, maxBodyBytes: maxBytes, overflow: 'error', isListed: true },
    })
    return readingOf(answer, maxBytes)
  },
  provesOwnership,
})

function readingOf(answer: EgressAnswer, maxBytes: number): FileReading {
  if (!answer.ok) {
    const why = answer.error === 'body_overflow' ? `it is larger than ${maxBytes} bytes` : `no answer (${answer.error})`
    return { kind: LASTING.has(answer.error) ? 'other' : 'silent', why }
  }
  const { status, body } = answer
  if (status === 200) return { kind: 'file', body }
  if (status >= 300 && status < 400) return { kind: 'other', why: `HTTP ${status}, a redirect, which is not followed` }
  // What is broken or busy may come back; what is not there is not there.
  return { kind: status >= 500 || status === 429 ? 'silent' : 'other', why: `HTTP ${status}` }
}
