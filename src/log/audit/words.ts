import { sha256Hex } from '../../domain/keys.ts'
import type { SaidWords } from './replayed-sellers.ts'
import type { Differences, Shown } from './shown.ts'

/** Words are shown as they were said, or taken away as the log says, and with their place in it. */
export function sameWords(what: string, shown: Shown, { record, hidden, places }: SaidWords, found: Differences): void {
  found.sameAsOne(hidden.all, (taken, within) => {
    within.same(`${what}: hidden`, shown.hidden ?? null, taken ?? null)
    if ((taken ?? null) === null)
      within.same(`${what}: SHA-256 of its text`, sha256Hex(String(shown.text)), record.text_sha256)
  })
  found.samePlace(what, shown, places)
}
