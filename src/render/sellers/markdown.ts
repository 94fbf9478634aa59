import type { SellerHost } from '../../domain/host.ts'
import { SELLER_SAYS } from '../../domain/seller/statement.ts'
import type { RetiredView, SellerPart, StatementView } from '../../views/seller/seller-view.ts'
import { codeSpan, hiddenText, shortened } from '../markdown/quote.ts'
import { apiStatementsHref, fullAddress, type Site, statementHref } from '../site.ts'
import { claimLine, moreClaimsLine, RETIRED_NOTE, retiredLine, statementMarks } from './statement-words.ts'

/** A seller's words, apart from all evidence, in a fence that they cannot close. */
export function statementBlocks(site: Site, statement: StatementView, letters: number): string[] {
  const { about, wallet, text, hidden, id } = statement
  const marks = [statementMarks(statement), codeSpan(about), `wallet ${codeSpan(wallet)}`].join(' · ')
  const head = `${SELLER_SAYS} ${marks} · <${fullAddress(site, statementHref(id))}>`
  if (hidden !== null) return [head, hiddenText(hidden)]
  // Where there is no room for strangers' words, what there is to read is named all the same.
  return text === '' || letters === 0 ? [head] : [head, ...shortened(text, letters)]
}

export const replyBlocks = (site: Site, reply: StatementView | null | undefined, letters: number): string[] =>
  reply == null ? [] : statementBlocks(site, reply, letters)

export const retiredBlocks = (retired: RetiredView | null | undefined): string[] =>
  retired == null ? [] : [`${retiredLine(retired)}. ${RETIRED_NOTE}`]

/** What the seller says of the host itself, and who that is. */
export const sellerBlocks = (site: Site, host: SellerHost, seller: SellerPart, letters: number): string[] => [
  ...retiredBlocks(seller.retired),
  ...seller.said.flatMap((statement) => statementBlocks(site, statement, letters)),
  ...claimBlocks(site, host, seller),
]

function claimBlocks(site: Site, host: SellerHost, seller: SellerPart): string[] {
  const more = moreClaimsLine(seller)
  const lines = seller.claims.map((claim) => `- ${codeSpan(claimLine(claim))}`)
  const link = more === null ? [] : [`- ${more}: <${fullAddress(site, apiStatementsHref(host))}>`]
  return seller.claimsTotal === 0 ? [] : [[...lines, ...link].join('\n')]
}
