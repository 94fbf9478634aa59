import type { StatementPage } from '../../../views/seller/seller-view.ts'
import { InLog } from '../../log/in-log.tsx'
import { checkStatementCommand } from '../../sellers/statement-words.ts'
import { fullAddress, hostHref, type Site, statementHref, withQuery } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { JOINED_LINES, SignedLines } from '../parts/signed-lines.tsx'
import { SellerSays } from '../sellers/statements.tsx'

/** One statement of a seller, for people who follow a link to it, with what verifies it. */
export const statementPage = (site: Site, { statement, textSha256, message }: StatementPage): string => {
  const { host } = statement
  return page({
    site,
    title: `The seller of ${host} says · ${PRODUCT}`,
    description: `One statement of whoever proved to speak for ${host}. It is no evidence of this directory.`,
    canonical: fullAddress(site, statementHref(statement.id)),
    alternates: [
      {
        type: 'application/json',
        name: 'This statement as JSON',
        href: withQuery(statementHref(statement.id), { format: 'json' }),
      },
    ],
    children: (
      <>
        <header>
          <p class="eyebrow">Statement of the seller of</p>
          <h1>
            <a href={hostHref(host)}>{host}</a>
          </h1>
        </header>
        <section>
          <SellerSays statement={statement} isNamed={true} />
          <InLog of={[statement]} />
        </section>
        <SignedLines
          note={JOINED_LINES}
          message={message}
          lines={[`wallet ${statement.wallet}`, `signature ${statement.signature}`, `text SHA-256 ${textSha256}`]}
          command={checkStatementCommand(site, statement.id)}
        />
      </>
    ),
  })
}
