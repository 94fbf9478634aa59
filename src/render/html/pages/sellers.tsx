import type { SellerHost } from '../../../domain/host.ts'
import { badgeSnippet, SELLERS_LEAD, SELLERS_TITLE, sellerAnswers } from '../../sellers/seller-words.ts'
import {
  badgeHref,
  fullAddress,
  hostEventsHref,
  hostFeedHref,
  hostHref,
  listingHistoryHref,
  probingHref,
  type Site,
  sellersHref,
  whyHref,
} from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'

/** What whoever sells an API should know; with a host, where its pages are. */
export const sellersPage = (site: Site, host: SellerHost | null): string =>
  page({
    site,
    title: `${SELLERS_TITLE} · ${PRODUCT}`,
    description: SELLERS_LEAD,
    canonical: fullAddress(site, sellersHref),
    at: sellersHref,
    alternates: [{ type: 'text/markdown', name: 'This page as Markdown', href: `${sellersHref}?format=md` }],
    children: (
      <>
        <header>
          <h1>{SELLERS_TITLE}</h1>
          <p class="lead">{SELLERS_LEAD}</p>
        </header>
        <form class="filters" action={sellersHref} method="get">
          <label class="q">
            Your host
            <input
              name="host"
              value={host ?? ''}
              placeholder="api.example.com"
              autocapitalize="none"
              spellcheck={false}
            />
          </label>
          <button type="submit">Show its pages</button>
        </form>
        {host !== null && <HostLinks site={site} host={host} />}
        {sellerAnswers(site, host).map(({ question, answers, paste }) => (
          <section key={question}>
            <h2>{question}</h2>
            <ul class="plain">
              {answers.map((answer) => (
                <li key={answer}>{answer}</li>
              ))}
            </ul>
            {paste !== undefined && (
              <pre>
                <code>{paste}</code>
              </pre>
            )}
          </section>
        ))}
        <p>
          <a href={probingHref}>How this directory probes</a>
        </p>
      </>
    ),
  })

const HostLinks = ({ site, host }: { readonly site: Site; readonly host: SellerHost }) => (
  <section id="host">
    <h2>{host}</h2>
    <ul class="plain">
      <li>
        <a href={hostHref(host)}>What this directory shows of it</a>
      </li>
      <li>
        <a href={whyHref(host)}>Why a route is listed, missing, probed or not</a>
      </li>
      <li>
        <a href={listingHistoryHref(host)}>Who lists it, since when, and what was refused</a>
      </li>
      <li>
        <a href={badgeHref(host)}>Its badge</a>
        {', '}
        <a href={hostFeedHref(host)}>its feed</a>
        {' and '}
        <a href={hostEventsHref(host)}>its events</a>
      </li>
    </ul>
    <pre>
      <code>{badgeSnippet(site, host)}</code>
    </pre>
  </section>
)
