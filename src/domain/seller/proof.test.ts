import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsNow, type Look, PATIENCE_US, PROOF_KINDS, type ProofSpan, spansAfter } from './proof.ts'

const look = (proof: Look['proof'], holds: Look['holds']): Look => ({ proof, holds, found: '', toDo: '' })

describe('the proofs of a claim', () => {
  it('have a beginning and an end each, never overlap, and what ended never changes', () => {
    const looks = fc.array(
      fc.record({
        afterUs: fc.integer({ min: 1, max: PATIENCE_US }),
        looks: fc.tuple(
          ...PROOF_KINDS.map((kind) => fc.constantFrom('yes', 'no', 'unknown').map((holds) => look(kind, holds))),
        ),
      }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(looks, (steps) => {
        let spans: ProofSpan[] = []
        let nowUs = 1
        for (const { afterUs, looks } of steps) {
          nowUs += afterUs
          const next = spansAfter(spans, looks, nowUs)
          const ended = spans.filter(({ untilUs }) => untilUs !== null)
          expect(next).toEqual(expect.arrayContaining(ended))
          for (const { proof, holds } of looks) {
            const isOpen = holdsNow(next).includes(proof)
            if (holds === 'yes') expect(isOpen).toBe(true)
            if (holds === 'no') expect(isOpen).toBe(false)
          }
          spans = next
        }
        for (const kind of PROOF_KINDS) {
          const own = spans.filter(({ proof }) => proof === kind)
          expect(own.filter(({ untilUs }) => untilUs === null).length).toBeLessThanOrEqual(1)
          for (const { sinceUs, seenUs, untilUs } of own) {
            expect(seenUs).toBeGreaterThanOrEqual(sinceUs)
            if (untilUs !== null) expect(untilUs).toBeGreaterThanOrEqual(seenUs)
          }
        }
      }),
    )
  })
})
