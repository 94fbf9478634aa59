import { classify } from '../probe.ts'
import { DAY_US } from '../time/day.ts'
import type { TimestampUs } from '../time/timestamp.ts'
import type { Run } from './run.ts'
import { BEST_FIRST, type Looked, NO_VANTAGE, SHIELDS, seenOf, type Vantage } from './vantage.ts'

/** What one vantage sees of a route. */
export interface Sight extends Looked {
  readonly vantage: Vantage
  /** Its entries of the route. */
  readonly entries: number
  /** The newest of them. */
  readonly atUs: TimestampUs
  /** Since when it sees the same. */
  readonly sinceUs: TimestampUs
}

export interface SightEntry extends Looked {
  readonly vantage: Vantage
  readonly atUs: TimestampUs
}

/** A route's state: the run that all vantages together are in, and what each of them sees, by name. */
export interface RouteSights {
  readonly run: Run | null
  readonly sights: readonly Sight[]
}

export const NO_SIGHTS: RouteSights = { run: null, sights: [] }

/** A vantage that has not looked for so long, while others have, says nothing of now. */
const CURRENT_US = DAY_US

export const isNamed = ({ vantage }: { readonly vantage: Vantage }): boolean => vantage !== NO_VANTAGE

const byName = (a: { readonly vantage: Vantage }, b: { readonly vantage: Vantage }): number =>
  a.vantage < b.vantage ? -1 : Number(a.vantage > b.vantage)

/** Those of vantages that still look. */
export function currentSights(sights: readonly Sight[]): Sight[] {
  const newestUs = Math.max(...sights.map(({ atUs }) => atUs))
  return sights.filter(({ atUs }) => atUs >= newestUs - CURRENT_US)
}

/** A route is down when it is down from everywhere: the best of what is seen now, and of equals the newest. */
export const bestSight = (sights: readonly Sight[]): Sight | undefined =>
  currentSights(sights).sort(
    (a, b) =>
      BEST_FIRST[classify(a.httpStatus)] - BEST_FIRST[classify(b.httpStatus)] || b.atUs - a.atUs || byName(a, b),
  )[0]

const byTime = (a: SightEntry, b: SightEntry): number =>
  a.atUs - b.atUs || byName(a, b) || (a.httpStatus ?? 0) - (b.httpStatus ?? 0) || shieldOrder(a) - shieldOrder(b)

const shieldOrder = ({ shield }: Looked): number => (shield === null ? -1 : SHIELDS.indexOf(shield))

/**
 * The state after entries that are all newer than those it was made of. Of one moment and vantage the greatest status
 * counts. With one vantage, named or not, the run is that of its entries (`continueRun`).
 */
export function continueSights(before: RouteSights, entries: readonly SightEntry[]): RouteSights {
  const sights = new Map(before.sights.map((sight) => [sight.vantage, sight]))
  let run = before.run
  let last402Us = run?.last402Us ?? null
  let passed = 0
  const sorted = entries.toSorted(byTime)
  for (const [at, entry] of sorted.entries()) {
    passed += 1
    if (entry.httpStatus === 402) last402Us = entry.atUs
    const next = sorted[at + 1]
    const isLastOfMoment = next?.atUs !== entry.atUs
    if (!isLastOfMoment && next?.vantage === entry.vantage) continue
    sights.set(entry.vantage, sightAfter(sights.get(entry.vantage), entry, passed))
    passed = 0
    if (!isLastOfMoment) continue
    const { httpStatus } = bestSight([...sights.values()]) ?? entry
    const goesOn = run !== null && classify(run.httpStatus) === classify(httpStatus)
    run = { httpStatus, sinceUs: goesOn && run !== null ? run.sinceUs : entry.atUs, last402Us }
  }
  return { run, sights: [...sights.values()].sort(byName) }
}

function sightAfter(before: Sight | undefined, entry: SightEntry, entries: number): Sight {
  const { vantage, atUs, httpStatus, shield } = entry
  const goesOn = before !== undefined && seenOf(before) === seenOf(entry)
  return {
    vantage,
    entries: (before?.entries ?? 0) + entries,
    atUs,
    // Of entries that name no place nobody asks since when, or by whom.
    sinceUs: goesOn && isNamed(entry) ? before.sinceUs : atUs,
    httpStatus,
    shield: isNamed(entry) ? shield : null,
  }
}
