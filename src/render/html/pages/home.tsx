import { thousands } from '../../../domain/count.ts'
import { resultOf } from '../../../domain/now/now.ts'
import { LEVELS } from '../../../domain/review.ts'
import { type Day, dayOf, formatDay } from '../../../domain/time/day.ts'
import { formatAgo } from '../../../domain/time/relative.ts'
import { ROW_DAYS } from '../../../views/host/day-view.ts'
import type { HostRow, RouteMatch } from '../../../views/host/hosts-view.ts'
import type { ListedHome, ListedHost } from '../../../views/seller/listed-hosts.ts'
import {
  AMONG_RETIRED,
  conditions,
  forgivenLines,
  foundBy,
  homeHref,
  hostsQuery,
  insteadLine,
  leftOutOf,
  listedBy,
  listTitle,
  retiredLeftOut,
  unfit,
} from '../../hosts-query.ts'
import { hostCheck, PAST_MARKS } from '../../now/now-words.ts'
import { sourcesSay } from '../../observed.ts'
import { feedHref, hostHref, routeHref, type Site } from '../../site.ts'
import { agentReviews, counted, priceRangeText, priceText, unicodeForm } from '../../values.ts'
import { notLookedFor, type WayOn, waysBeside, waysOn } from '../../ways-on.ts'
import { ABOUT, PRODUCT, SORT_WORDS, TAGLINE } from '../../words.ts'
import type { Html } from '../jsx/jsx-runtime.ts'
import { page } from '../layout.tsx'
import { Hatches, KeptDayBars, RESULT_CLASS } from '../parts/charts.tsx'
import { Quoted } from '../parts/description.tsx'
import { Facets, SearchForm } from '../parts/facets.tsx'
import { ResultLegend } from '../parts/legend.tsx'
import { isRetired, RetiredMark } from '../sellers/statements.tsx'

/** Search and browse: the totals, the form, and one page of hosts. */
export function homePage(site: Site, home: ListedHome): string {
  const title = listTitle(home.query)
  return page({
    site,
    title: title === null ? `${PRODUCT}: ${TAGLINE}` : `${title} · ${PRODUCT}`,
    description: ABOUT,
    canonical: `${site.baseUrl}/`,
    search: false,
    alternates: [{ type: 'application/atom+xml', name: 'Feed of all changes', href: feedHref }],
    at: '/',
    children: (
      <>
        <Hatches />
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
          <Facets home={home} />
          <div>
            <h2>Hosts</h2>
            {home.rows.length === 0 ? <Nothing home={home} /> : <Rows home={home} />}
          </div>
        </section>
      </>
    ),
  })
}

const Rows = ({ home }: { readonly home: ListedHome }) => {
  const asked = conditions(home.query, foundBy(home)).map((condition) => condition.words)
  const { all, some } = listedBy(home.query)
  const leftOut = retiredLeftOut(home)
  const next = hostsQuery(home.query)
  next.set('cursor', home.next ?? '')
  return (
    <>
      {home.instead && <p>{insteadLine(home.instead)}</p>}
      {home.wider && waysBeside(home).map((way) => <p>{wayLink(way)}</p>)}
      {forgivenLines(home.forgiven).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p class="small soft">
        {`${asked.length === 0 ? all : `${some} with ${asked.join(', ')}`}, sorted by ${SORT_WORDS[home.query.sort]}.${leftOut === null ? '' : ` ${leftOut}.`}`}{' '}
        {leftOut !== null && <a href={homeHref(home.query, { retired: 'with' })}>Show retired hosts too</a>}
        {home.query.retired && <a href={homeHref(home.query, { retired: null })}>Leave retired hosts out</a>}
        {(home.query.retired || leftOut !== null) && asked.length > 0 && ' · '}
        {asked.length > 0 && <a href="/">Show all hosts</a>}
      </p>
      <div class="tablebox rows">
        <table>
          <thead>
            <tr>
              <th scope="col" class="wide">
                Host
              </th>
              <th scope="col">Now</th>
              <th scope="col">Price in dollars</th>
              <th scope="col">Price check</th>
              <th scope="col" class="num">
                Median
              </th>
              <th scope="col">{`Probes, ${ROW_DAYS} days`}</th>
              <th scope="col">Reviews</th>
            </tr>
          </thead>
          <tbody>
            {home.rows.map((row) => (
              <Row key={row.host} row={row} home={home} />
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

interface RowProps {
  readonly row: ListedHost
  readonly home: Pick<ListedHome, 'query' | 'today' | 'nowUs'>
}

/** In characters: two lines below a host's name. */
const IN_A_ROW = 110

/** What a row says beside what its host does. */
interface RowWords {
  readonly today: Day
  readonly now: string
  readonly nothing: string | null
}

/** A list is made anew whenever anything was written, mostly of rows that say what they said before. */
const written = new WeakMap<ListedHost, RowWords & { readonly html: Html }>()

function Row({ row, home: { query, today, nowUs } }: RowProps): Html {
  const words: RowWords = { today, now: nowText(row, nowUs), nothing: unfit(query, row) }
  // What a search found is a row of its own.
  if (row.match !== null) return rowOf(row, words)
  const kept = written.get(row)
  if (kept?.today === today && kept.now === words.now && kept.nothing === words.nothing) return kept.html
  const html = rowOf(row, words)
  written.set(row, { html, ...words })
  return html
}

function rowOf(row: ListedHost, { today, now: nowWords, nothing }: RowWords): Html {
  const { now, check } = row
  return (
    <tr>
      <th scope="row">
        <a href={hostHref(row.host)}>{row.host}</a>
        <span class="note">
          {aboutText(row)}
          {row.description !== null && (
            <>
              {' · '}
              <Quoted description={row.description} most={IN_A_ROW} />
            </>
          )}
        </span>
        <RetiredMark retired={row.retired} />
        {nothing !== null && <span class="note">{nothing}</span>}
        {row.match !== null && <Match row={row} match={row.match} isNearest={nothing !== null} />}
      </th>
      <td data-name="Now" class={now === null || isRetired(row) ? 'soft' : `mark ${RESULT_CLASS[resultOf(now)]}`}>
        {nowWords}
      </td>
      <td data-name="Price">{priceRangeText(row)}</td>
      <td data-name="Price check" class={`check ${checkClass(row)}`}>
        {hostCheck(check, row.routes)}
      </td>
      <td data-name="Median" class="num tight">
        {row.medianMs === null ? 'no data' : `${thousands(row.medianMs)} ms`}
      </td>
      <td class="over">
        <KeptDayBars days={row.days} today={today} length={ROW_DAYS} />
      </td>
      <td data-name="Reviews">{levelsText(row)}</td>
    </tr>
  )
}

interface MatchProps {
  readonly row: HostRow
  readonly match: RouteMatch
  /** Another than the one that was asked for. */
  readonly isNearest: boolean
}

/** The route that was looked for, with its price. */
const Match = ({ row, match, isNearest }: MatchProps) => (
  <span class="note">
    {isNearest && 'nearest: '}
    <a href={routeHref(row.host, match)}>{`${match.method} ${match.path === '' ? '/' : match.path}`}</a>
    {` ${[priceText(match.price), ...[sourcesSay(match) ?? []].flat(), match.probeStatus].join(', ')}`}
  </span>
)

/** `3 routes, x402` and the Unicode form of the name. */
function aboutText(row: HostRow): string {
  const unicode = unicodeForm(row.host)
  const routes = `${counted(row.routes, 'route')}, ${row.rails.join(', ')}`
  return unicode === null ? routes : `${unicode} · ${routes}`
}

const checkClass = ({ check }: HostRow): string =>
  check.differs > 0 ? 'differs' : check.verified > 0 ? 'verified' : 'unverified'

const WORDS = { answers: 'no payment asked', failed: 'failing', unreachable: 'unreachable' } as const

/** In few words: the day is enough to see whether it is worth opening. */
function nowText({ now, past = null }: HostRow, nowUs: number): string {
  if (now === null && past !== null) return `${PAST_MARKS[past.became]}, looked at ${formatDay(dayOf(past.checkedUs))}`
  if (now === null) return 'never probed'
  const result = resultOf(now)
  if (result === '402-correct') return `requested payment ${formatAgo(now.checkedUs, nowUs)}`
  const shared = now.of > 1 ? `, ${now.routes} of ${now.of} routes` : ''
  return `${WORDS[result]} since ${formatDay(dayOf(now.sinceUs))}${shared}`
}

/** The counted reviews by level; the stored but excluded ones are named, never added. */
function levelsText(row: HostRow): string {
  const { byLevel, excluded } = row.reviewCounts
  const levels = LEVELS.filter((level) => byLevel[level] > 0).map((level) => `${byLevel[level]} ${level}`)
  const reviews = agentReviews(row) === 0 ? ['0'] : levels
  return (excluded > 0 ? [...reviews, `${excluded} not counted`] : reviews).join(' · ')
}

const Nothing = ({ home }: { readonly home: ListedHome }) => {
  const asked = conditions(home.query)
  const { none } = listedBy(home.query)
  const words = asked.map((condition) => condition.words).join(', ')
  // A request looks at so many hosts and no more: few that fit may stand far behind.
  if (home.next !== null) {
    const next = hostsQuery(home.query)
    next.set('cursor', home.next)
    return (
      <div class="panel">
        <p>{`${none}${words && ` with ${words}`} among those looked at so far.`}</p>
        <p>
          <a rel="next" href={`/?${next}`}>
            Look further
          </a>
        </p>
      </div>
    )
  }
  if (asked.length === 0) return <NothingAtAll home={home} />
  const leftOut = leftOutOf(home)
  const ways = waysOn(home)
  const isWider = ways.length > 0 && ways.every((way) => 'search' in way && way.isWithout)
  const hint = notLookedFor(home.query)
  return (
    <div class="panel">
      <p>{`${none} has a route with ${words}${leftOut?.words ? `, ${leftOut.words}` : ''}.`}</p>
      {leftOut !== null && (
        <p>
          <a href={leftOut.href}>{AMONG_RETIRED}</a>
        </p>
      )}
      {hint !== null && <p>{hint}</p>}
      <p class="hint">{isWider ? 'All conditions must hold at once. Leave one out:' : 'What you can do:'}</p>
      <ul class="plain">
        {ways.map((way) => (
          <li key={way.words}>{wayLink(way)}</li>
        ))}
        <li>
          <a href="/">Show all hosts</a>
        </li>
      </ul>
    </div>
  )
}

const wayLink = (way: WayOn): Html => <a href={'search' in way ? homeHref(way.search) : way.href}>{way.words}</a>

/** Nothing was asked for. */
const NothingAtAll = ({ home }: { readonly home: ListedHome }) => {
  const leftOut = leftOutOf(home)
  if (home.query.retired === 'only' || leftOut?.words) {
    return (
      <div class="panel">
        <p>{leftOut?.words ? `No host is listed, ${leftOut.words}.` : 'No host is retired by its seller.'}</p>
        <p>{leftOut === null ? <a href="/">Show all hosts</a> : <a href={leftOut.href}>{AMONG_RETIRED}</a>}</p>
      </div>
    )
  }
  return <p class="panel">No host is stored yet. Hosts appear here once a listing source names one of their routes.</p>
}
