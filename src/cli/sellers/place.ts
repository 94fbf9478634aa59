import { directoryOf } from '../../wire/review-body.ts'
import type { CommandEntry } from '../catalogue/entry.ts'
import { usageProblem } from '../command.ts'

/** Which directory something is signed for and sent to. */
export function placeIn(
  values: { readonly to?: string | undefined; readonly directory?: string | undefined },
  baseUrl: string,
  entry: CommandEntry,
): { readonly to: string; readonly directory: string } {
  const to = (values.to ?? baseUrl).replace(/\/+$/, '')
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) throw usageProblem(entry)
  return { to, directory: values.directory ?? directoryOf(to) }
}
