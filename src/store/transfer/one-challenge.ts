import type { Challenge, Offer } from '../../domain/challenge.ts'
import type { RecordOf, TransferRecord } from '../../wire/records.ts'

/**
 * Entries of one route follow each other and mostly carry the same challenge: of those that do it is held once, and hashed
 * once.
 */
export function oneChallenge(): (record: TransferRecord) => void {
  let last: RecordOf<'probe'>['challenge'] = null
  return (record) => {
    if (record.kind !== 'probe' || record.challenge === null) return
    if (last !== null && isSame(last, record.challenge)) record.challenge = last
    else last = record.challenge
  }
}

const isSame = (a: Challenge, b: Challenge): boolean =>
  a.offers.length === b.offers.length &&
  a.warnings.length === b.warnings.length &&
  a.offers.every((offer, n) => isSameOffer(offer, b.offers[n])) &&
  a.warnings.every((warning, n) => warning === b.warnings[n])

const isSameOffer = (a: Offer, b: Offer | undefined): boolean =>
  b !== undefined &&
  a.payee === b.payee &&
  a.price === b.price &&
  a.network === b.network &&
  a.asset === b.asset &&
  a.rail === b.rail
