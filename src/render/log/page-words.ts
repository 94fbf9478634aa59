import { thousands } from '../../domain/count.ts'
import { formatAgo } from '../../domain/time/relative.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { LogView } from '../../views/log-view.ts'
import { commandLine, fullAddress, logVerifierHref, type Site } from '../site.ts'

export const LOG_TITLE = 'Evidence log'
export const LOG_LEAD =
  'Everything that this directory shows as evidence is an entry of a public log that can only grow. Whoever runs it cannot change, drop or back-date an entry without being caught, and anybody can recompute every counter from it.'

export const PROVES: readonly string[] = [
  'An entry that was in the log is still in it, unchanged and at the same place.',
  'Everybody who is given a checkpoint of one size, and compares it with a witness or with each other, was given the same log.',
  'The counters, summary and latency lines and reviews by level follow from the entries: tollbook audit recomputes them.',
  'A review, post, probe entry or listing was logged no later than the first checkpoint that holds it.',
]

export const DOES_NOT_PROVE: readonly string[] = [
  'That a probe really happened or was answered so: the log holds what this directory wrote down.',
  'That nothing was left out before it was logged.',
  'What a text said: the log has the SHA-256 of strangers’ words alone, so that a text can be taken down.',
]

/** How a stranger verifies the log. */
export const logCommands = (site: Site, { vkey }: Pick<LogView, 'vkey'>): string[] => [
  `curl -sO ${fullAddress(site, logVerifierHref)} && node verify.mjs ${site.baseUrl}`,
  `node verify.mjs ${site.baseUrl} 0`,
  commandLine(site, `audit ${site.baseUrl}`),
  commandLine(site, `witness --name witness.example --listen 127.0.0.1:8403 '${vkey}'`),
]

export const VERIFY_NOTE =
  'In this order: the whole log; one entry, by its number, as in “in the log at 128”; every counter of every page against the log; and a witness of your own, which keeps it from forgetting.'

/** What the log is now, as names and values. */
export const logFacts = (view: LogView): [name: string, value: string][] => [
  ['Origin', view.origin],
  ['Verifier key', view.vkey],
  ['Entries', thousands(view.size)],
  ['Root', view.root],
  [
    'Last grew',
    view.grownUs === null ? 'never' : `${formatAgo(view.grownUs, view.nowUs)}, ${formatTimestamp(view.grownUs)}`,
  ],
  ...view.cosignatures.map(({ witness, size, atUs }): [string, string] => [
    `Witness ${witness}`,
    `cosigned ${thousands(size)} entries ${formatAgo(atUs, view.nowUs)}, ${formatTimestamp(atUs)}`,
  ]),
  ...(view.cosignatures.length === 0 ? [['Witnesses', 'none has cosigned yet'] satisfies [string, string]] : []),
]

/** What a reader must know before anything else. */
export const logNotices = ({ fault, historyLeft }: LogView): string[] => [
  ...(fault === null ? [] : [`Nothing is signed any more: ${fault}.`]),
  ...(historyLeft === 0
    ? []
    : [
        `Evidence of ${thousands(historyLeft)} hosts from before there was a log is still being logged, marked as imported.`,
      ]),
]
