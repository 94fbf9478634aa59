import { inTurns, type Steps } from '../read/steps.ts'

/**
 * What a parser makes of a stranger's document. No document should break a parser; where one does, it is that document's
 * loss and nobody else's.
 */
export function readWith<T>(parse: () => T): { readonly read: T } | undefined {
  try {
    return { read: parse() }
  } catch {
    return undefined
  }
}

/** The same of a seller's document, which is read beside everything else that the program does. */
export async function readInTurns<T>(read: () => Steps<T>): Promise<{ readonly read: T } | undefined> {
  try {
    return { read: await inTurns(read()) }
  } catch {
    return undefined
  }
}

/** What is said of such a document. */
export const PARSER_BROKE = 'parser_broke'
