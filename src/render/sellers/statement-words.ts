import { counted } from '../../domain/count.ts'
import type { SellerHost } from '../../domain/host.ts'
import { PROOF_WORDS, type ProofSpan } from '../../domain/seller/proof.ts'
import type { StatementKind } from '../../domain/seller/statement.ts'
import { formatMinute, formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { ClaimView, RetiredView, SellerPart, StatementView } from '../../views/seller/seller-view.ts'
import { hiddenLine } from '../post-words.ts'
import { commandLine, fullAddress, type Site, statementHref } from '../site.ts'

/** What a statement does, in the directory's own words. */
const KIND_WORDS: Readonly<Record<StatementKind, string>> = {
  reply: 'in reply',
  correct: 'about what is listed',
  retire: 'that it is retired',
  moved: 'that it moved',
  contact: 'how to reach it',
  probe: 'that it is to be probed',
}

/** Beside the label above a statement's text: what it does, and since when it is here. */
export const statementMarks = ({ kind, submittedUs }: StatementView): string =>
  `${KIND_WORDS[kind]} · ${formatTimestamp(submittedUs)}`

/** What stands in the place of the text where there is none to show; `null` where there is one. */
export function insteadOfText({ text, hidden }: StatementView): string | null {
  if (hidden !== null) return hiddenLine(hidden)
  return text === '' ? 'Without further words.' : null
}

/** After where to. */
export const movedWords = (sinceUs: TimestampUs): string => `the seller says since ${formatMinute(sinceUs)}`

/** `Retired by the seller on 2026-11-14 12:34` */
export function retiredLine({ sinceUs, movedTo, isMoveLost = false }: RetiredView): string {
  const at = formatMinute(sinceUs)
  if (isMoveLost) return `Moved, the seller said on ${at}, to a host that is no longer claimed by the same wallet`
  return movedTo === null ? `Retired by the seller on ${at}` : `Moved to ${movedTo}, ${movedWords(sinceUs)}`
}

export const RETIRED_NOTE = 'All evidence stays; it is probed once a week.'

/** `the wallet's address in /.well-known/tollbook, since 2026-11-14 12:34` */
export const proofLine = ({ proof, sinceUs, untilUs }: ProofSpan): string =>
  `${PROOF_WORDS[proof]}, since ${formatMinute(sinceUs)}${untilUs === null ? '' : ` until ${formatMinute(untilUs)}`}`

/** Who speaks for the host and what proves it now, or proved it last; since when there was a proof, where that one ended. */
export const claimLine = ({ wallet, proofs }: ClaimView): string => {
  const open = proofs.filter(({ untilUs }) => untilUs === null)
  const told = open.length > 0 ? open : proofs.toSorted((a, b) => (a.untilUs ?? 0) - (b.untilUs ?? 0)).slice(-1)
  const speaks = open.length > 0 ? 'speaks for this host' : 'spoke for this host'
  const firstUs = Math.min(...proofs.map(({ sinceUs }) => sinceUs))
  const isLater = told.length > 0 && told.every(({ sinceUs }) => sinceUs > firstUs)
  const before = isLater ? `; first proved ${formatMinute(firstUs)}` : ''
  return `${wallet} ${speaks}: ${told.map(proofLine).join('; ')}${before}`
}

/** `12 wallets proved to speak for this host, 5 shown`, where not all are. */
export const moreClaimsLine = ({ claims, claimsTotal }: SellerPart): string | null =>
  claims.length < claimsTotal
    ? `${counted(claimsTotal, 'wallet')} proved to speak for this host, ${claims.length} shown`
    : null

/** How to check a statement without trusting this directory. */
export const checkStatementCommand = (site: Site, id: string): string =>
  commandLine(site, `verify statement ${fullAddress(site, statementHref(id))}`)

/** How the seller answers a review or a post. */
export const replyCommand = (site: Site, host: SellerHost, about: string): string =>
  commandLine(site, `say ${host} reply ${about} --text '…' --key-file wallet.key --to ${site.baseUrl}`)

/** Commands for whoever runs the host. */
export const sellerCommands = (site: Site, host: SellerHost): readonly string[] => [
  commandLine(site, `claim ${host} --key-file wallet.key --to ${site.baseUrl}`),
  replyCommand(site, host, "review '<id>'"),
]
