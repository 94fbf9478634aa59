import { ROBOTS_RULE } from '../../sellers/seller-words.ts'
import { fullAddress, probingHref, type Site, VANTAGES } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'

/** How this directory probes; the numbers are the running program's own. */
export interface ProbingManners {
  readonly userAgent: string
  readonly everyHours: number
  readonly gapSeconds: number
  readonly methods: readonly string[]
}

/** `every 6 hours`, `every 20 seconds`: in the largest unit of which there is a whole one. */
export function everyText(hours: number): string {
  const units: readonly (readonly [number, string])[] = [
    [24, 'day'],
    [1, 'hour'],
    [1 / 60, 'minute'],
    [1 / 3600, 'second'],
  ]
  const [size, name] = units.find(([unit]) => hours >= unit) ?? [1 / 3600, 'second']
  const n = Math.max(1, Math.round((hours / size) * 10) / 10)
  return n === 1 ? `every ${name}` : `every ${n} ${name}s`
}

const LEAD = 'What our probes do at a seller, and how to stop them.'

/** Where the User-Agent of every probe leads. */
export const probingPage = (site: Site, manners: ProbingManners): string =>
  page({
    site,
    title: `Probing · ${PRODUCT}`,
    description: LEAD,
    canonical: fullAddress(site, probingHref),
    at: probingHref,
    children: (
      <>
        <header>
          <h1>Probing</h1>
          <p class="lead">{LEAD}</p>
        </header>
        <section>
          <h2>What we do</h2>
          <ul class="plain">
            <li>{`We ask each listed route about ${everyText(manners.everyHours)} whether it still requests payment. We never pay.`}</li>
            <li>{`We send ${manners.methods.join(' and ')}: GET as it is, POST with an empty JSON object. Routes with parameters in their path are never called.`}</li>
            <li>{`One request at a time to a host, with a rest of at least ${manners.gapSeconds} s after each; Retry-After is honoured.`}</li>
            <li>No cookies, no credentials, no redirects followed, at most 64 KiB of the answer read.</li>
            <li>
              The status, the time it took and the payment challenge are published. The rest of the answer is not kept.
            </li>
          </ul>
          <p>Every request carries this User-Agent:</p>
          <pre>
            <code>{manners.userAgent}</code>
          </pre>
        </section>
        <section id={VANTAGES}>
          <h2>From where</h2>
          <p>
            A vantage is a place that a prober looks from, such as eu-1. Where the operator has named them, each probe
            entry says from which it is, and the pages of a host and its routes what each of them sees now.
          </p>
          <ul class="plain">
            <li>
              A route is down when it is down from every vantage, and since that is so. One that has not looked for a
              day while others have says nothing of now.
            </li>
            <li>
              Refused from a vantage means that somebody answered and turned that prober away: the route is blocked from
              there, not dead.
            </li>
            <li>Counts, percentages and latencies are of the entries from all vantages together.</li>
          </ul>
        </section>
        <section>
          <h2>How to stop it</h2>
          <p>Name us in your robots.txt; it is read again within a day. This keeps us out of everything:</p>
          <pre>
            <code>{ROBOTS_RULE}</code>
          </pre>
          <p>
            Rules for other crawlers do not concern us: a probe is one request to a route that is publicly offered for
            sale.
          </p>
        </section>
      </>
    ),
  })
