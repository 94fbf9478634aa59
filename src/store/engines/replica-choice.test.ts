import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Choosable, chooseReplica } from './replica-choice.ts'
import { WriterTrail } from './replica-lag.ts'

const anyReplica = fc.record<Choosable>({
  state: fc.constantFrom('following', 'behind', 'ahead', 'away', 'not a replica', 'another database'),
  lsn: fc.option(fc.nat(100)),
})

describe('which replica answers', () => {
  it('is one that follows and has all that was written here, or the writer', () => {
    fc.assert(
      fc.property(fc.array(anyReplica), fc.nat(100), fc.nat(), (replicas, floor, lot) => {
        const chosen = chooseReplica(replicas, { floor, lot, before: null, isWriterUp: true })
        const fit = replicas.filter(({ state, lsn }) => state === 'following' && lsn !== null && lsn >= floor)
        if (chosen === null) expect(fit).toEqual([])
        else expect(fit).toContain(chosen)
      }),
    )
  })

  it('is any of them at first, and the same one for as long as it can', () => {
    const replicas: Choosable[] = [1, 2, 3].map((lsn) => ({ state: 'following', lsn }))
    const choice = { floor: 1, before: null, isWriterUp: true }
    const chosen = [0, 1, 2, 3].map((lot) => chooseReplica(replicas, { ...choice, lot }))
    expect(chosen.map((one) => one?.lsn)).toEqual([1, 2, 3, 1])
    const [first = null] = replicas
    expect(chooseReplica(replicas, { ...choice, lot: 2, before: first })).toBe(first)
    expect(chooseReplica(replicas, { ...choice, lot: 1, before: first, floor: 2 })?.lsn).toBe(3)
  })

  it('is the one that has most while the writer is away, however late, and never a stranger', () => {
    const replicas: Choosable[] = [
      { state: 'behind', lsn: 5 },
      { state: 'behind', lsn: 7 },
      { state: 'another database', lsn: 9 },
      { state: 'ahead', lsn: 10 },
    ]
    expect(chooseReplica(replicas, { floor: 100, lot: 0, before: null, isWriterUp: false })?.lsn).toBe(7)
    expect(chooseReplica([], { floor: 0, lot: 0, before: null, isWriterUp: false })).toBeNull()
  })
})

describe('how late a replica is', () => {
  it('is the time since the writer first had what it lacks, and nothing once it has everything', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 1000 })))
    fc.assert(
      fc.property(steps, fc.nat(2000), (list, at) => {
        const trail = new WriterTrail()
        let [lsn, nowMs] = [0, 0]
        const seen: { lsn: number; atMs: number }[] = []
        for (const [grown, passed] of list) {
          lsn += grown
          nowMs += passed
          trail.see(lsn, nowMs)
          seen.push({ lsn, atMs: nowMs })
        }
        const lacking = seen.filter((sample) => sample.lsn > at).map(({ atMs }) => atMs)
        expect(trail.lagMs(at, nowMs)).toBe(lacking.length === 0 ? 0 : nowMs - Math.min(...lacking))
        expect(trail.lagBytes(at)).toBe(list.length === 0 ? 0 : Math.max(0, lsn - at))
      }),
    )
  })

  it('begins anew with a writer that stands further back: it is another one', () => {
    const trail = new WriterTrail()
    trail.see(100, 0)
    trail.see(40, 1000)
    expect([trail.newest, trail.lagMs(30, 1500), trail.lagMs(40, 1500)]).toEqual([40, 500, 0])
  })

  it('is not known of one that stands before the first that was seen of the writer', () => {
    const trail = new WriterTrail()
    expect(trail.isBefore(50)).toBe(false)
    trail.see(100, 0)
    trail.see(200, 1000)
    expect([50, 99, 100, 150].map((lsn) => trail.isBefore(lsn))).toEqual([true, true, false, false])
  })
})
