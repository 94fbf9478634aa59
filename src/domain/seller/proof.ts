import type { TimestampUs } from '../time/timestamp.ts'

/** What can prove that a host is a wallet's own. Any one is enough. */
export const PROOF_KINDS = ['ownership', 'file', 'payee'] as const
export type ProofKind = (typeof PROOF_KINDS)[number]

/** Live challenges of fewer days do not say whose a host is. */
export const PAYEE_DAYS = 3

/** Where a seller names the wallet that may speak for it. */
export const PROOF_PATH = '/.well-known/tollbook'
export const OWNERSHIP_PATH = '/.well-known/x402'

export const PROOF_WORDS: Readonly<Record<ProofKind, string>> = {
  ownership: `an ownership proof in ${OWNERSHIP_PATH}`,
  file: `the wallet's address in ${PROOF_PATH}`,
  payee: `a payee that live challenges named on at least ${PAYEE_DAYS} days`,
}

/** How long a proof holds: from the first look that found it to the last, or on. */
export interface ProofSpan {
  readonly proof: ProofKind
  readonly sinceUs: TimestampUs
  /** When it was last seen to hold. */
  readonly seenUs: TimestampUs
  /** `null`: it holds. */
  readonly untilUs: TimestampUs | null
}

/** What one look at one proof found. `unknown`: nobody could tell, the host did not answer. */
export interface Look {
  readonly proof: ProofKind
  readonly holds: 'yes' | 'no' | 'unknown'
  /** What was found, in the directory's own words. */
  readonly found: string
  /** What makes it hold. */
  readonly toDo: string
  /** When the host was asked, where what it serves decides. */
  readonly readUs?: TimestampUs
}

/** A host is asked for its files this often at most, whoever claims it. */
export const ASKED_EVERY_US = 60_000_000

/** A host that does not answer keeps its proof so long: it may be down for a day. */
export const PATIENCE_US = 3 * 86_400_000_000

/** What becomes of the proofs of a wallet after a look at each. */
export function spansAfter(spans: readonly ProofSpan[], looks: readonly Look[], nowUs: TimestampUs): ProofSpan[] {
  const open = new Set(spans.filter(({ untilUs }) => untilUs === null).map(({ proof }) => proof))
  const began = looks
    .filter(({ proof, holds }) => holds === 'yes' && !open.has(proof))
    .map(({ proof }): ProofSpan => ({ proof, sinceUs: nowUs, seenUs: nowUs, untilUs: null }))
  return [...spans.map((span) => spanAfter(span, looks, nowUs)), ...began]
}

function spanAfter(span: ProofSpan, looks: readonly Look[], nowUs: TimestampUs): ProofSpan {
  const look = looks.find(({ proof }) => proof === span.proof)
  if (look === undefined || span.untilUs !== null) return span
  if (look.holds === 'yes') return { ...span, seenUs: nowUs }
  if (look.holds === 'no') return { ...span, untilUs: nowUs }
  return span.seenUs < nowUs - PATIENCE_US ? { ...span, untilUs: span.seenUs } : span
}

/** Beside the first and the last of each kind: so a claim has 50 spans at most, however often its proofs come and go. */
const MOST_BETWEEN = 50 - 2 * PROOF_KINDS.length

/**
 * Those that are kept and shown of a claim's spans, in the order given: the first of each kind, which says since when there
 * was one, the last of each kind, and of all others those that ended last. The same in whatever steps they came.
 */
export function keptSpans<S extends ProofSpan>(spans: readonly S[], mostBetween: number = MOST_BETWEEN): S[] {
  const edges = new Set(
    PROOF_KINDS.flatMap((kind) => {
      const own = spans.filter(({ proof }) => proof === kind).toSorted((a, b) => a.sinceUs - b.sinceUs)
      return [...own.slice(0, 1), ...own.slice(-1)]
    }),
  )
  const between = spans.filter((span) => !edges.has(span)).toSorted(byEnd)
  const kept = new Set([...edges, ...between.slice(0, mostBetween)])
  return spans.filter((span) => kept.has(span))
}

/** One that is open, and not the last of its kind, is an older copy of one that ended: it counts from its beginning. */
const endOf = ({ sinceUs, untilUs }: ProofSpan): TimestampUs => untilUs ?? sinceUs

const byEnd = (a: ProofSpan, b: ProofSpan): number =>
  endOf(b) - endOf(a) || b.sinceUs - a.sinceUs || PROOF_KINDS.indexOf(a.proof) - PROOF_KINDS.indexOf(b.proof)

/** Both together: what was seen of one span in two places is one, with its latest sight and its end. */
export function joinedSpans(known: readonly ProofSpan[], more: readonly ProofSpan[]): ProofSpan[] {
  const spans = new Map(known.map((span) => [spanKey(span), span]))
  for (const span of more) {
    const there = spans.get(spanKey(span))
    const untilUs = there?.untilUs ?? span.untilUs
    spans.set(spanKey(span), { ...span, seenUs: Math.max(there?.seenUs ?? 0, span.seenUs), untilUs })
  }
  return [...spans.values()]
}

/** Spans of one kind begin at different times. */
export const spanKey = ({ proof, sinceUs }: ProofSpan): string => `${proof} ${sinceUs}`

export const holdsNow = (spans: readonly ProofSpan[]): readonly ProofKind[] =>
  PROOF_KINDS.filter((kind) => spans.some(({ proof, untilUs }) => proof === kind && untilUs === null))
