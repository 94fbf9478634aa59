import { bounded } from '../../wire/bounded.ts'
import { UnreadableError } from '../problem.ts'
import type { Outline } from './outline.ts'

/** More than any directory has to say at once. */
const MOST_BYTES = 16_000_000

/** The text of a directory's answer. Rejects with `UnreadableError` when it is longer than one can be. */
export const textIn = (answer: Response): Promise<string> => readIn(answer, MOST_BYTES, (body) => body.text())

/** What is read of an answer of so many bytes at most. Rejects with `UnreadableError` when it is longer. */
export const readIn = <T>(answer: Response, mostBytes: number, read: (body: Response) => Promise<T>): Promise<T> =>
  read(bounded(answer, mostBytes)).catch((error: unknown) => {
    throw error instanceof RangeError ? new UnreadableError(answer.status, error) : error
  })

/** The document of an answer. Throws `UnreadableError` for anything else. */
export function documentIn<T>(isDocument: Outline<T>, status: number, text: string): T {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new UnreadableError(status, error)
  }
  if (isDocument(document)) return document
  throw new UnreadableError(status, new TypeError('it has another outline, or is of another host'))
}

/** The same document, of this host alone. */
export const ofHost =
  <T extends { readonly host: string }>(isDocument: Outline<T>, host: string): Outline<T> =>
  (value): value is T =>
    isDocument(value) && plain(value.host) === plain(host)

/** As a directory writes it. */
const plain = (host: string): string =>
  (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : host).replace(/\.?(?::(?:80|443))?$/, '')
