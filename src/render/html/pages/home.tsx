import { thousands } from '../../../domain/count.ts'
import { LEVELS } from '../../../domain/review.ts'
import type { Day } from '../../../domain/time/day.ts'
import { formatTimestamp } from '../../../domain/time/timestamp.ts'
import { ROW_DAYS } from '../../../views/host/day-view.ts'
import type { HomeView, HostRow } from '../../../views/host/hosts-view.ts'
import { conditions, homeHref, hostsQuery } from '../../hosts-query.ts'
import { feedHref, hostHref, type Site } from '../../site.ts'
import { agentReviews, minuteText, priceRangeText, unicodeForm } from '../../values.ts'
import { ABOUT, PRODUCT, SORT_WORDS, TAGLINE } from '../../words.ts'
import { page } from '../layout.tsx'
import { DayBars } from '../parts/charts.tsx'
import { DescriptionLine } from '../parts/description.tsx'
import { Facets, SearchForm } from '../parts/facets.tsx'
import { ResultLegend } from '../parts/legend.tsx'

/** Search and browse: the totals, the form, and one page of hosts. */
export function homePage(site: Site, home: HomeView): string {
  return page({
    site,
    title: `${PRODUCT}: ${TAGLINE}`,
    description: ABOUT,
    canonical: `${site.baseUrl}/`,
    search: false,
    alternates: [{ type: 'application/atom+xml', name: 'Feed of all changes', href: feedHref }],
    at: '/',
    children: (
      <>
        <header class="hero">
          <div>
            <h1>{TAGLINE}</h1>
            <p class="lead">{ABOUT}</p>
          </div>
          <dl class="counters">
            <div>
              <dt>hosts</dt>
              <dd>{thousands(home.totals.hosts)}</dd>
            </div>
            <div>
              <dt>routes</dt>
              <dd>{thousands(home.totals.routes)}</dd>
            </div>
            <div>
              <dt>probe entries</dt>
              <dd>{thousands(home.totals.probes)}</dd>
            </div>
          </dl>
        </header>
        <SearchForm query={home.query} />
        <section id="hosts" class="browse">
          <Facets query={home.query} />
          <div>
            <h2>Hosts</h2>
            {home.rows.length === 0 ? <Nothing home={home} /> : <Rows home={home} />}
          </div>
        </section>
      </>
    ),
  })
}

const Rows = ({ home }: { readonly home: HomeView }) => {
  const asked = conditions(home.query).map((condition) => condition.words)
  const next = hostsQuery(home.query)
  next.set('cursor', home.next ?? '')
  return (
    <>
      <p class="small soft">
        {`${asked.length === 0 ? 'All hosts' : `Hosts with ${asked.join(', ')}`}, sorted by ${SORT_WORDS[home.query.sort]}.`}{' '}
        {asked.length > 0 && <a href="/">Show all hosts</a>}
      </p>
      <div class="tablebox rows">
        <table>
          <thead>
            <tr>
              <th scope="col" class="wide">
                Host
              </th>
              <th scope="col">Rails</th>
              <th scope="col" class="num">
                Routes
              </th>
              <th scope="col">Price in dollars</th>
              <th scope="col">{`Probes, ${ROW_DAYS} days`}</th>
              <th scope="col">Newest evidence</th>
              <th scope="col">Agent reviews</th>
            </tr>
          </thead>
          <tbody>
            {home.rows.map((row) => (
              <Row key={row.host} row={row} today={home.today} />
            ))}
          </tbody>
        </table>
      </div>
      <ResultLegend />
      {(home.next !== null || home.query.cursor !== null) && (
        <p class="next">
          {home.query.cursor !== null && <a href={homeHref(home.query)}>First hosts</a>}
          {home.next !== null && (
            <a rel="next" href={`/?${next}`}>
              Next hosts
            </a>
          )}
        </p>
      )}
    </>
  )
}

const Row = ({ row, today }: { readonly row: HostRow; readonly today: Day }) => {
  const unicode = unicodeForm(row.host)
  const { newestEvidenceUs: newestUs } = row
  return (
    <tr>
      <th scope="row">
        <a href={hostHref(row.host)}>{row.host}</a>
        {unicode !== null && <span class="note">{unicode}</span>}
        {row.description !== null && <DescriptionLine description={row.description} />}
      </th>
      <td data-name="Rails" class="tight">
        {row.rails.join(', ')}
      </td>
      <td data-name="Routes" class="num">
        {thousands(row.routes)}
      </td>
      <td data-name="Price" class="tight over">
        {priceRangeText(row)}
      </td>
      <td class="over">
        <DayBars days={row.days} today={today} length={ROW_DAYS} />
      </td>
      <td data-name="Newest" class="tight">
        {newestUs === null ? 'no data' : <time datetime={formatTimestamp(newestUs)}>{minuteText(newestUs)}</time>}
      </td>
      <td data-name="Reviews">{levelsText(row)}</td>
    </tr>
  )
}

/** The counted reviews by level; the stored but excluded ones are named, never added. */
function levelsText(row: HostRow): string {
  const { byLevel, excluded } = row.reviewCounts
  const levels = LEVELS.filter((level) => byLevel[level] > 0).map((level) => `${byLevel[level]} ${level}`)
  const counted = agentReviews(row) === 0 ? ['0'] : levels
  return (excluded > 0 ? [...counted, `${excluded} not counted`] : counted).join(' · ')
}

const Nothing = ({ home }: { readonly home: HomeView }) => {
  const asked = conditions(home.query)
  if (asked.length === 0) {
    return (
      <p class="panel">No host is stored yet. Hosts appear here once a listing source names one of their routes.</p>
    )
  }
  const words = asked.map((condition) => condition.words).join(', ')
  // A request looks at so many hosts and no more: few that fit may stand far behind.
  if (home.next !== null) {
    const next = hostsQuery(home.query)
    next.set('cursor', home.next)
    return (
      <div class="panel">
        <p>{`No host with ${words} among those looked at so far.`}</p>
        <p>
          <a rel="next" href={`/?${next}`}>
            Look further
          </a>
        </p>
      </div>
    )
  }
  return (
    <div class="panel">
      <p>{`No host has a route with ${words}.`}</p>
      <p class="hint">{asked.length === 1 ? 'What you can do:' : 'All conditions must hold at once. Leave one out:'}</p>
      <ul class="plain">
        {asked.map(({ words, without }) => (
          <li key={words}>
            <a href={without}>{`Search without ${words}`}</a>
          </li>
        ))}
        <li>
          <a href="/">Show all hosts</a>
        </li>
      </ul>
    </div>
  )
}
