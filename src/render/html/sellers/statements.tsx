import type { SellerHost } from '../../../domain/host.ts'
import { SELLER_SAYS } from '../../../domain/seller/statement.ts'
import { formatTimestamp } from '../../../domain/time/timestamp.ts'
import type { RetiredView, SellerPart, StatementView } from '../../../views/seller/seller-view.ts'
import { shortWallet } from '../../review-words.ts'
import {
  claimLine,
  insteadOfText,
  moreClaimsLine,
  movedWords,
  RETIRED_NOTE,
  replyCommand,
  retiredLine,
  statementMarks,
} from '../../sellers/statement-words.ts'
import { apiStatementsHref, hostHref, type Site, sellersHref, statementHref, withQuery } from '../../site.ts'
import { Words } from '../parts/description.tsx'

interface StatementProps {
  readonly statement: StatementView
  /** Whether it says what it is about: not where it stands beside that. */
  readonly isNamed?: boolean
}

/** A seller's words, apart from all evidence: a text node only, no markup and no links made of it. */
export const SellerSays = ({ statement, isNamed = false }: StatementProps) => {
  const instead = insteadOfText(statement)
  const signer = `wallet ${shortWallet(statement.wallet)}, signed`
  return (
    <div class="said seller">
      <p>
        <b class="chip">{SELLER_SAYS}</b>
        {` ${statementMarks(statement)}`}
      </p>
      {isNamed && <p class="exact">{statement.about}</p>}
      {instead === null ? <Words text={statement.text} /> : <p>{instead}</p>}
      <a
        class="by"
        href={statementHref(statement.id)}
        aria-label={`${signer}, the statement of ${formatTimestamp(statement.submittedUs)}`}
      >
        {signer}
      </a>
    </div>
  )
}

interface Retirable {
  readonly retired?: RetiredView | null | undefined
}

/** By its seller. */
export const isRetired = ({ retired = null }: Retirable): boolean => retired !== null

/** Under what a stranger wrote, if the seller answered it. */
export const Reply = ({ reply }: { readonly reply?: StatementView | null | undefined }) =>
  reply == null ? null : <SellerSays statement={reply} />

/** What its seller pastes to answer a review or a post, once the host is claimed. */
export const AnswerIt = ({
  site,
  host,
  about,
}: {
  readonly site: Site
  readonly host: SellerHost
  readonly about: string
}) => (
  <details>
    <summary>Are you the seller? How to answer it</summary>
    <pre>
      <code>{replyCommand(site, host, about)}</code>
    </pre>
    <p class="small">
      <a href={withQuery(sellersHref, { host })}>How to prove that the host is yours</a>
    </p>
  </details>
)

export const Retired = ({ retired }: Retirable) =>
  retired == null ? null : (
    <p class="differs">
      <a href={statementHref(retired.statementId)}>{retiredLine(retired)}</a>
      {`. ${RETIRED_NOTE}`}
      {retired.movedTo !== null && (
        <>
          {' '}
          <a href={hostHref(retired.movedTo)}>{`What is known of ${retired.movedTo}`}</a>
        </>
      )}
    </p>
  )

/** The same in a row of a list. */
export const RetiredMark = ({ retired }: Retirable) =>
  retired == null ? null : (
    <span class="note">
      {retired.movedTo === null ? (
        <a href={statementHref(retired.statementId)}>{retiredLine(retired)}</a>
      ) : (
        <>
          {'Moved to '}
          <a href={hostHref(retired.movedTo)}>{retired.movedTo}</a>
          {', '}
          <a href={statementHref(retired.statementId)}>{movedWords(retired.sinceUs)}</a>
        </>
      )}
    </span>
  )

/** On a host's page: what its seller says of it, and who that is. */
export const SellerBox = ({ host, seller }: { readonly host: SellerHost; readonly seller: SellerPart }) => (
  <>
    {seller.said.map((statement) => (
      <SellerSays key={statement.id} statement={statement} />
    ))}
    {seller.claims.length > 0 && (
      <details class="why">
        <summary>Who speaks for this host, and what proves it</summary>
        <ul class="lines">
          {seller.claims.map((claim) => (
            <li key={claim.wallet}>{claimLine(claim)}</li>
          ))}
          {moreClaimsLine(seller) !== null && (
            <li>
              <a href={apiStatementsHref(host)}>{moreClaimsLine(seller)}</a>
            </li>
          )}
        </ul>
      </details>
    )}
  </>
)
