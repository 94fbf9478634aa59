import { thousands } from '../../domain/count.ts'
import { formatPrice } from '../../domain/price.ts'
import { RESULTS, summaryLine } from '../../domain/probe.ts'
import { LEVELS } from '../../domain/review.ts'
import { RAILS } from '../../domain/route.ts'
import { HOST_SORTS, type HomeView, type HostQuery, type HostRow } from '../../views/hosts-view.ts'
import { conditions, hostsQuery } from '../hosts-query.ts'
import { hostHref, type Site } from '../site.ts'
import { agentReviews, priceRangeText, timeText, unicodeForm } from '../values.ts'
import { ABOUT, PRODUCT, SORT_WORDS, TAGLINE } from '../words.ts'
import { ResultBar } from './bar.tsx'
import { page } from './layout.tsx'

/** Search and browse: the totals, the form, and one page of hosts. */
export function homePage(site: Site, home: HomeView): string {
  return page({
    title: `${PRODUCT}: ${TAGLINE}`,
    description: ABOUT,
    canonical: `${site.baseUrl}/`,
    search: false,
    children: (
      <>
        <header>
          <h1>{TAGLINE}</h1>
          <p class="lead">{ABOUT}</p>
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
        <Filters query={home.query} />
        <section id="hosts">
          <h2>Hosts</h2>
          {home.rows.length === 0 ? <Nothing home={home} /> : <Rows home={home} />}
        </section>
      </>
    ),
  })
}

const Filters = ({ query }: { readonly query: HostQuery }) => (
  <form class="filters" action="/" method="get">
    <label class="q">
      Host name or path
      <input type="search" name="q" value={query.q ?? ''} placeholder="api.example.com, /v1/search, weather" />
    </label>
    <label>
      Rail
      <select name="rail">
        <option value="">any</option>
        {RAILS.map((rail) => (
          <option key={rail} value={rail} selected={rail === query.rail}>
            {rail}
          </option>
        ))}
      </select>
    </label>
    <label>
      Network
      <input name="network" value={query.network ?? ''} placeholder="base" autocapitalize="none" spellcheck={false} />
    </label>
    <label>
      Price at most
      <input
        name="max_price"
        value={query.maxPrice === null ? '' : formatPrice(query.maxPrice)}
        placeholder="0.05"
        inputmode="decimal"
      />
    </label>
    <label>
      Probe result
      <select name="result">
        <option value="">any</option>
        {RESULTS.map((result) => (
          <option key={result} value={result} selected={result === query.result}>
            {result}
          </option>
        ))}
      </select>
    </label>
    <label>
      Sort by
      <select name="sort">
        {HOST_SORTS.map((sort) => (
          <option key={sort} value={sort} selected={sort === query.sort}>
            {SORT_WORDS[sort]}
          </option>
        ))}
      </select>
    </label>
    <button type="submit">Search</button>
  </form>
)

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
      <div class="tablebox">
        <table>
          <thead>
            <tr>
              <th scope="col" class="c1">
                Host
              </th>
              <th scope="col">Rails</th>
              <th scope="col">Routes</th>
              <th scope="col">Price in dollars</th>
              <th scope="col" class="c5">
                Probe results
              </th>
              <th scope="col">Agent reviews</th>
            </tr>
          </thead>
          <tbody>
            {home.rows.map((row) => (
              <Row key={row.host} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {(home.next !== null || home.query.cursor !== null) && (
        <p class="next">
          {home.query.cursor !== null && <a href={`/?${hostsQuery(home.query)}`}>First hosts</a>}
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

const Row = ({ row }: { readonly row: HostRow }) => {
  const unicode = unicodeForm(row.host)
  return (
    <tr>
      <th scope="row">
        <a href={hostHref(row.host)}>{row.host}</a>
        {unicode !== null && <span class="note">{unicode}</span>}
      </th>
      <td data-name="Rails">{row.rails.join(', ')}</td>
      <td data-name="Routes">{row.routes}</td>
      <td data-name="Price">{priceRangeText(row)}</td>
      <td data-name="Probe results">
        <div>
          <ResultBar results={row.results} />
          <span class="note">{summaryLine(row.results)}</span>
          <span class="note">{`newest evidence ${timeText(row.newestEvidenceUs)}`}</span>
        </div>
      </td>
      <td data-name="Agent reviews">
        <div>
          {agentReviews(row)}
          <span class="note">{levelsText(row)}</span>
        </div>
      </td>
    </tr>
  )
}

/** The counted reviews by level; the stored but excluded ones are named, never added. */
function levelsText(row: HostRow): string {
  const { byLevel, excluded } = row.reviewCounts
  const levels = LEVELS.filter((level) => byLevel[level] > 0).map((level) => `${byLevel[level]} ${level}`)
  return (excluded > 0 ? [...levels, `${excluded} not counted`] : levels).join(' · ')
}

const Nothing = ({ home }: { readonly home: HomeView }) => {
  const asked = conditions(home.query)
  if (asked.length === 0) {
    return (
      <p class="panel">No host is stored yet. Hosts appear here once a listing source names one of their routes.</p>
    )
  }
  return (
    <div class="panel">
      <p>{`No host has a route with ${asked.map((condition) => condition.words).join(', ')}.`}</p>
      <p class="hint">All conditions must hold for one route. Leave one out:</p>
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
