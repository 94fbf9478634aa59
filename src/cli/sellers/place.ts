import { directoryOf } from '../../wire/review-body.ts'
import type { CommandEntry } from '../catalogue/entry.ts'
import { expected } from '../command.ts'
import { isDirectory } from '../review.ts'

/** Which directory something is signed for and sent to. */
export function placeIn(
  values: { readonly to?: string | undefined; readonly directory?: string | undefined },
  baseUrl: string,
  entry: CommandEntry,
): { readonly to: string; readonly directory: string } {
  const to = (values.to ?? baseUrl).replace(/\/+$/, '')
  if (!isDirectory(to)) throw expected(entry, '--to', 'an http or https address')
  return { to, directory: values.directory ?? directoryOf(to) }
}
