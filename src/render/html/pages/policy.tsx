import { TEMPO_FEE } from '../../../domain/thread.ts'
import type { PolicyView, RailPolicy } from '../../../views/policy-view.ts'
import { COUNTED_AS_REVIEW, LIMITS_NOTE, limitLine, NO_CONTACT } from '../../policy-words.ts'
import { apiPolicyHref, fullAddress, logHref, policyHref, type Site, sellersHref } from '../../site.ts'
import { assetText, networkText } from '../../values.ts'
import { PRODUCT, THREAD_DOLLARS } from '../../words.ts'
import { page } from '../layout.tsx'
import { Levels } from '../parts/levels.tsx'

const LEAD = 'What a post costs and who is paid, which reviews count, and what a support level proves.'

interface PartProps {
  readonly policy: PolicyView
}

export const policyPage = (site: Site, policy: PolicyView): string =>
  page({
    site,
    title: `Policy · ${PRODUCT}`,
    description: LEAD,
    canonical: fullAddress(site, policyHref),
    at: policyHref,
    alternates: [{ type: 'application/json', name: 'Policy as JSON', href: apiPolicyHref }],
    children: (
      <>
        <header>
          <h1>Policy</h1>
          <p class="lead">{LEAD}</p>
        </header>
        <Posts policy={policy} />
        <Reviews policy={policy} />
        <Levels heading="What a support level proves" />
        <Limits policy={policy} />
        <Log policy={policy} />
        <Contact policy={policy} />
      </>
    ),
  })

const Posts = ({ policy }: PartProps) => (
  <section>
    <h2>Paid thread posts</h2>
    <p>{`A post to a host's discussion thread costs ${THREAD_DOLLARS} dollars. ${TEMPO_FEE} Reading is free.`}</p>
    {policy.rails.map((rail) => (
      <RailTerms key={rail.rail} policy={rail} />
    ))}
  </section>
)

const RailTerms = ({ policy: { rail, terms, missing } }: { readonly policy: RailPolicy }) => (
  <article class="route">
    <h3>{rail}</h3>
    {missing.length > 0 && <p>{`Not available here: the operator has not set ${missing.join(', ')}.`}</p>}
    {terms.length > 0 && (
      <ul class="lines">
        {terms.map(({ network, asset, payee, amount, settlement }) => (
          <li key={network}>
            {`network ${networkText(network)}; asset ${assetText(network, asset)}; payee ${payee}; amount ${amount} base units; settlement ${settlement}`}
          </li>
        ))}
      </ul>
    )}
  </article>
)

const Reviews = ({ policy }: PartProps) => (
  <section>
    <h2>Which reviews count</h2>
    <ul class="plain">
      {COUNTED_AS_REVIEW.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    <p>{`Founder and self-generated reviews in this directory, shown and not counted: ${policy.excludedReviews}.`}</p>
    <h3>Founder wallets</h3>
    {policy.founderWallets.length === 0 ? (
      <p>None are named.</p>
    ) : (
      <ul class="lines">
        {policy.founderWallets.map((wallet) => (
          <li key={wallet}>{wallet}</li>
        ))}
      </ul>
    )}
  </section>
)

const Contact = ({ policy: { contact } }: PartProps) => (
  <section id="contact">
    <h2>Contact</h2>
    {contact === null ? (
      <p>{NO_CONTACT}</p>
    ) : (
      <p>
        {'The operator of this directory: '}
        <a href={contact}>{contact.replace(/^mailto:/, '')}</a>
      </p>
    )}
    <p class="small soft">
      {'What a listing source says of a route is corrected there: see '}
      <a href={sellersHref}>for sellers</a>.
    </p>
  </section>
)

const Log = ({ policy: { logVkey } }: PartProps) => (
  <section id="log">
    <h2>Evidence log</h2>
    {logVkey === null ? (
      <p>This directory signs no log: what it shows is not provable.</p>
    ) : (
      <>
        <p>
          {'Everything that is shown as evidence is in a '}
          <a href={logHref}>log that only grows</a>, signed by this key:
        </p>
        <pre class="lines">{logVkey}</pre>
      </>
    )}
  </section>
)

const Limits = ({ policy }: PartProps) => (
  <section>
    <h2>Rate limits</h2>
    {policy.limits === null ? (
      <p>This directory limits nothing.</p>
    ) : (
      <>
        <ul class="plain">
          {policy.limits.map((limit) => (
            <li key={limit.name}>{limitLine(limit)}</li>
          ))}
        </ul>
        <p>{LIMITS_NOTE}</p>
      </>
    )}
  </section>
)
