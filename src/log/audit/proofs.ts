import { keptSpans, PROOF_KINDS, type ProofSpan } from '../../domain/seller/proof.ts'
import { parseTimestamp } from '../../domain/time/timestamp.ts'
import { listIn, only, type Shown } from './shown.ts'

/** A proof is seen to hold more often than it is said. */
const PROOF = ['proof', 'since', 'until']

interface SaidSpan extends ProofSpan {
  readonly said: unknown
}

/** The proofs of a claim as they are kept: logs that were written before there was a bound have more of them. */
export function proofsIn(claim: Shown): unknown[] {
  const proofs = listIn(claim, 'proofs')
  const spans = proofs.flatMap((proof) => spanIn(proof) ?? [])
  return spans.length < proofs.length
    ? proofs.map((proof) => only(proof, PROOF))
    : keptSpans(spans).map(({ said }) => said)
}

function spanIn(shown: Shown): SaidSpan | undefined {
  const proof = PROOF_KINDS.find((kind) => kind === shown.proof)
  const [sinceUs, untilUs] = [parseTimestamp(String(shown.since)), parseTimestamp(String(shown.until))]
  if (proof === undefined || sinceUs === undefined || (untilUs === undefined && shown.until !== null)) return undefined
  return { proof, sinceUs, seenUs: sinceUs, untilUs: untilUs ?? null, said: only(shown, PROOF) }
}
