import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  holdsNow,
  keptSpans,
  type Look,
  PATIENCE_US,
  PROOF_KINDS,
  type ProofSpan,
  spanKey,
  spansAfter,
} from './proof.ts'

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

  const span = fc
    .record({
      proof: fc.constantFrom(...PROOF_KINDS),
      sinceUs: fc.nat(500),
      lasts: fc.option(fc.nat(100)),
    })
    .map(({ proof, sinceUs, lasts }): ProofSpan => {
      const untilUs = lasts === null ? null : sinceUs + lasts
      return { proof, sinceUs, seenUs: sinceUs, untilUs }
    })
  const spans = fc.uniqueArray(span, { selector: spanKey, maxLength: 300, size: 'max' })

  it('are 50 at most, with the first and the last of each kind, and those that ended last', () => {
    fc.assert(
      fc.property(spans, (all) => {
        const kept = keptSpans(all)
        expect(kept.length).toBeLessThanOrEqual(50)
        expect(kept).toEqual(all.filter((one) => kept.includes(one)))
        expect(keptSpans(kept)).toEqual(kept)
        if (all.length <= 44) expect(kept).toEqual(all)
        for (const kind of PROOF_KINDS) {
          const times = (list: readonly ProofSpan[]) =>
            list.filter(({ proof }) => proof === kind).map(({ sinceUs }) => sinceUs)
          expect(Math.min(...times(kept))).toBe(Math.min(...times(all)))
          expect(Math.max(...times(kept))).toBe(Math.max(...times(all)))
        }
      }),
    )
  })

  it('are the same in whatever steps they came', () => {
    fc.assert(
      fc.property(spans, fc.nat(300), (all, at) => {
        const stepwise = keptSpans([...keptSpans(all.slice(0, at)), ...all.slice(at)])
        expect(stepwise).toEqual(keptSpans(all))
      }),
    )
  })

  it('do not hold again because an older copy says that they did', () => {
    const flips = Array.from({ length: 100 }, (_, n): ProofSpan => {
      return { proof: 'file', sinceUs: 10 * n, seenUs: 10 * n, untilUs: 10 * n + 5 }
    })
    const before: ProofSpan = { proof: 'file', sinceUs: 20, seenUs: 20, untilUs: null }
    const kept = keptSpans(flips)
    expect(keptSpans([...kept, before])).toEqual(kept)
  })
})
