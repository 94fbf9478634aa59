import type { Run } from '../../domain/now/run.ts'
import { isNamed, type Sight } from '../../domain/now/sights.ts'
import { NO_VANTAGE, SHIELDS, type Shield } from '../../domain/now/vantage.ts'
import type { JsonText, SightRow } from '../schema.ts'
import { readJson } from '../sql/json.ts'
import { NO_STATUS, statusIn } from './no-status.ts'

export const shieldIn = (shield: number | null): Shield | null =>
  shield === null ? null : (SHIELDS[shield - 1] ?? null)

export const shieldNumber = (shield: Shield | null): number | null =>
  shield === null ? null : SHIELDS.indexOf(shield) + 1

export const sightsIn = (text: JsonText<SightRow[]> | null): Sight[] =>
  (readJson(text) ?? []).map(([vantage, entries, atUs, sinceUs, status, shield]) => ({
    vantage,
    entries,
    atUs,
    sinceUs,
    httpStatus: statusIn(status),
    shield: shieldIn(shield),
  }))

/** What entries that name no place see together, where none names one; nothing of a run that is not known. */
export const unnamedSight = (run: Run | null, entries: number, atUs: number): Sight[] =>
  run === null ? [] : [{ vantage: NO_VANTAGE, entries, atUs, sinceUs: atUs, httpStatus: run.httpStatus, shield: null }]

/** `null` where no vantage is named: the route's run says everything then. */
export function sightsText(sights: readonly Sight[]): string | null {
  if (!sights.some(isNamed)) return null
  const rows = sights.map(
    ({ vantage, entries, atUs, sinceUs, httpStatus, shield }): SightRow => [
      vantage,
      entries,
      atUs,
      sinceUs,
      httpStatus ?? NO_STATUS,
      shieldNumber(shield),
    ],
  )
  return JSON.stringify(rows)
}
