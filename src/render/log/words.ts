import { thousands } from '../../domain/count.ts'
import { logProofHref } from '../site.ts'

interface Logged {
  readonly logIndex?: number | undefined
}

/** Beside a piece of evidence; left out until the log has it. */
export const logJson = ({ logIndex }: Logged) => ({ log: logIndex === undefined ? undefined : { index: logIndex } })

export interface LogLink {
  readonly words: string
  readonly href: string
}

/** Where the proof is that a piece of evidence is in the log; `undefined` until it is. */
export const logLink = ({ logIndex }: Logged): LogLink | undefined =>
  logIndex === undefined ? undefined : { words: `in the log at ${thousands(logIndex)}`, href: logProofHref(logIndex) }

/** The same of several pieces, each place once. */
export const logLinks = (all: readonly Logged[]): readonly LogLink[] =>
  [...new Map(all.map((one) => [one.logIndex, one])).values()].flatMap((one) => logLink(one) ?? [])
