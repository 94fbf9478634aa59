import { EVERY_HOST, parseHost, type SellerHost } from '../../domain/host.ts'
import { directoryOf } from '../../wire/bodies/review-body.ts'
import type { CommandEntry } from '../catalogue/entry.ts'
import { directoryAt, expected } from '../command.ts'

/** Which directory something is signed for and sent to. */
export function placeIn(
  values: { readonly to?: string | undefined; readonly directory?: string | undefined },
  baseUrl: string,
  entry: CommandEntry,
): { readonly to: string; readonly directory: string } {
  const to = directoryAt(values.to ?? baseUrl, entry)
  return { to, directory: values.directory ?? directoryOf(to) }
}

/** The seller host that a word names, before anything is signed. Whether a special name is taken is the other directory's to say. */
export function hostIn(word: string, entry: CommandEntry): SellerHost {
  const reading = parseHost(word, EVERY_HOST)
  if (!reading.ok) throw expected(entry, '<host>', `a seller host, such as api.example.com (${reading.reason})`)
  return reading.host
}
