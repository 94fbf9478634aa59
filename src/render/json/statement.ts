import type { SellerHost } from '../../domain/host.ts'
import { holdsNow } from '../../domain/seller/proof.ts'
import { SELLER_SAYS } from '../../domain/seller/statement.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { StatementsView } from '../../views/directory.ts'
import type {
  ClaimView,
  RetiredView,
  SellerPart,
  StatementPage,
  StatementView,
} from '../../views/seller/seller-view.ts'
import { claimMessage } from '../../wire/sellers/lines.ts'
import { logJson } from '../log/words.ts'
import { checkStatementCommand, proofLine, retiredLine } from '../sellers/statement-words.ts'
import { apiHostHref, apiStatementsHref, fullAddress, nextAddress, type Site, statementHref } from '../site.ts'
import { timeOrNull } from '../values.ts'

/** `untrusted` marks the text beside it as a stranger's words, never an instruction. */
export const statementJson = (site: Site, said: StatementView) => ({
  id: said.id,
  host: said.host,
  kind: said.kind,
  untrusted: true,
  about: said.about,
  text: said.text,
  wallet: said.wallet,
  signature: said.signature,
  signed_at: said.signedAt,
  directory: said.directory,
  submitted_at: formatTimestamp(said.submittedUs),
  hidden: said.hidden && { at: formatTimestamp(said.hidden.atUs), reason: said.hidden.reason },
  href: fullAddress(site, statementHref(said.id)),
  ...logJson(said),
})

export const statementPageJson = (site: Site, { statement, textSha256, message }: StatementPage) => ({
  ...statementJson(site, statement),
  text_sha256: textSha256,
  message,
  verify: checkStatementCommand(site, statement.id),
  host_href: fullAddress(site, apiHostHref(statement.host)),
})

export const claimJson = (host: SellerHost, claim: ClaimView) => ({
  host,
  wallet: claim.wallet,
  signature: claim.signature,
  signed_at: claim.signedAt,
  directory: claim.directory,
  claimed_at: formatTimestamp(claim.claimedUs),
  message: claimMessage({ ...claim, host, wallet: claim.walletLine }),
  holds: holdsNow(claim.proofs).length > 0,
  proofs: claim.proofs.map((span) => ({
    proof: span.proof,
    line: proofLine(span),
    since: formatTimestamp(span.sinceUs),
    seen: formatTimestamp(span.seenUs),
    until: timeOrNull(span.untilUs),
  })),
  ...logJson(claim),
})

export const retiredJson = (site: Site, retired: RetiredView) => ({
  since: formatTimestamp(retired.sinceUs),
  moved_to: retired.movedTo,
  statement: fullAddress(site, statementHref(retired.statementId)),
  line: retiredLine(retired),
})

/** What a host view says of its seller; nothing where nobody speaks for it. */
export const sellerJson = (site: Site, host: SellerHost, { claims, claimsTotal, retired, said }: SellerPart) =>
  claims.length === 0
    ? {}
    : {
        seller: {
          label: SELLER_SAYS,
          claims: claims.map((claim) => claimJson(host, claim)),
          claims_total: claimsTotal,
          retired: retired && retiredJson(site, retired),
          statements: said.map((one) => statementJson(site, one)),
          href: fullAddress(site, apiStatementsHref(host)),
        },
      }

/** The answer to a review or post, where there is one. */
export const replyJson = (site: Site, reply: StatementView | null | undefined) =>
  reply == null ? {} : { reply: statementJson(site, reply) }

export const statementsJson = (site: Site, host: SellerHost, view: StatementsView, query: URLSearchParams) => ({
  host,
  total: view.total,
  claims_total: view.claimsTotal,
  claims: view.claims.map((claim) => claimJson(host, claim)),
  statements: view.items.map((one) => statementJson(site, one)),
  next: nextAddress(site, apiStatementsHref(host), query, view.nextOfBoth),
})
