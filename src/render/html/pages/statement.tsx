import type { StatementPage } from '../../../views/seller/seller-view.ts'
import { InLog } from '../../log/in-log.tsx'
import { checkStatementCommand } from '../../sellers/statement-words.ts'
import { fullAddress, hostHref, type Site, statementHref, withQuery } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
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
        <section>
          <h2>Verify it yourself</h2>
          <p class="small soft">
            These lines, joined by one line feed each, were signed by the wallet (EIP-191, or ed25519 for a Solana
            wallet). The fifth is the SHA-256 of the text.
          </p>
          <pre>
            <code>{message}</code>
          </pre>
          <ul class="lines">
            <li>{`wallet ${statement.wallet}`}</li>
            <li>{`signature ${statement.signature}`}</li>
            <li>{`text SHA-256 ${textSha256}`}</li>
          </ul>
          <pre>
            <code>{checkStatementCommand(site, statement.id)}</code>
          </pre>
        </section>
      </>
    ),
  })
}
