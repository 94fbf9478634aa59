import { sha256Hex } from '../../domain/keys.ts'
import type { EntryRecord } from '../../wire/log/entry.ts'
import type { Differences, Shown } from './shown.ts'

/** Words are shown as they were said, or taken away as the log says. */
export function sameWords(
  what: string,
  shown: Shown,
  { record, hidden }: { readonly record: EntryRecord; readonly hidden: unknown },
  found: Differences,
): void {
  found.same(`${what}: hidden`, shown.hidden ?? null, hidden ?? null)
  if ((hidden ?? null) === null)
    found.same(`${what}: SHA-256 of its text`, sha256Hex(String(shown.text)), record.text_sha256)
}
