import { NO_DATA, thousands } from '../../domain/count.ts'
import type { SellerHost } from '../../domain/host.ts'
import { formatPrice } from '../../domain/money/price.ts'
import { summaryLine } from '../../domain/probe.ts'
import { addressOf } from '../../domain/route.ts'
import type { Choice, RouteMatch } from '../../views/host/hosts-view.ts'
import type { ListedHome, ListedHost } from '../../views/seller/listed-hosts.ts'
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
  retiredLeftOut,
  unfit,
} from '../hosts-query.ts'
import { hostCheck, nowOrPast } from '../now/now-words.ts'
import { sourcesSay } from '../observed.ts'
import { retiredLine } from '../sellers/statement-words.ts'
import { fullAddress, hostHref, nextAddress, type Site } from '../site.ts'
import { agentReviews, counted, networkText, priceRangeText, priceText, timeText } from '../values.ts'
import { notLookedFor, type WayOn, waysBeside, waysOn } from '../ways-on.ts'
import { ABOUT, PRODUCT, SORT_WORDS, TAGLINE } from '../words.ts'
import { codeSpan } from './quote.ts'

export function hostsMarkdown(site: Site, home: ListedHome): string {
  const asked = conditions(home.query, foundBy(home)).map((condition) => `- ${codeSpan(condition.words)}`)
  const { all, some } = listedBy(home.query)
  const query = hostsQuery(home.query)
  query.set('format', 'md')
  const next = nextAddress(site, '/', query, home.next)
  const blocks = [
    `# ${PRODUCT}`,
    `${TAGLINE}. ${ABOUT}`,
    [`- hosts: ${home.totals.hosts}`, `- routes: ${home.totals.routes}`, `- probe entries: ${home.totals.probes}`].join(
      '\n',
    ),
    '## Hosts',
    ...(asked.length === 0 ? [`${all}.`] : [`${some} with:`, asked.join('\n')]),
    `Sorted by ${SORT_WORDS[home.query.sort]}.`,
    ...(home.instead === undefined ? [] : [insteadLine(home.instead, codeSpan)]),
    ...(home.rows.length === 0 || !home.wider ? [] : wayBlocks(site, waysBeside(home))),
    ...(home.rows.length === 0 ? [] : forgivenLines(home.forgiven, codeSpan)),
    ...leftOutBlocks(site, home),
    home.rows.length === 0 ? nothingText(site, home) : home.rows.map((row) => rowItem(site, row, home)).join('\n'),
    ...(next === null ? [] : [`Next hosts: <${next}>`]),
    ...facetBlocks(home),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Of an address with a query. */
const markdownAddress = (site: Site, href: string): string => `${fullAddress(site, href)}&format=md`

function leftOutBlocks(site: Site, home: ListedHome): string[] {
  const words = home.rows.length === 0 ? null : retiredLeftOut(home)
  return words === null ? [] : [`${words}: <${markdownAddress(site, homeHref(home.query, { retired: 'with' }))}>`]
}

function nothingText(site: Site, home: ListedHome): string {
  const { none } = listedBy(home.query)
  if (home.next !== null) return `${none} matches among those looked at so far.`
  const leftOut = leftOutOf(home)
  const nothing = `${none} matches${leftOut?.words ? `, ${leftOut.words}` : ''}.`
  const said = leftOut === null ? nothing : `${nothing} ${AMONG_RETIRED}: <${markdownAddress(site, leftOut.href)}>`
  if (conditions(home.query).length === 0) return said
  return [said, ...[notLookedFor(home.query) ?? []].flat(), ...wayBlocks(site, waysOn(home))].join('\n\n')
}

const wayBlocks = (site: Site, ways: readonly WayOn[]): string[] =>
  ways.length === 0 ? [] : [ways.map((way) => `- ${codeSpan(way.words)}: <${wayAddress(site, way)}>`).join('\n')]

const wayAddress = (site: Site, way: WayOn): string =>
  'search' in way ? markdownAddress(site, homeHref(way.search)) : fullAddress(site, way.href)

/** What a query can choose by, with how many have it of all hosts, retired ones as listed. */
function facetBlocks({ facets, totals, retiredHosts = 0 }: ListedHome): string[] {
  const { checks, ceilings, requestedToday, rails, networks } = facets
  const groups: readonly (readonly [string, readonly Choice<string>[]])[] = [
    ['check', checks],
    ['max_price', ceilings.map(({ value, hosts }) => ({ value: formatPrice(value), hosts }))],
    ['requested', requestedToday === 0 ? [] : [{ value: 'day', hosts: requestedToday }]],
    ['rail', rails],
    ['network', networks],
    ['retired', retiredHosts === 0 ? [] : retiredChoices(totals.hosts, retiredHosts)],
  ]
  const lines = groups
    .filter(([, choices]) => choices.length > 0)
    .map(([name, choices]) => `- ${codeSpan(name)}: ${choices.map(choiceText).join(', ')}`)
  return lines.length === 0 ? [] : ['## Choose by', lines.join('\n')]
}

const retiredChoices = (all: number, retired: number): readonly Choice<string>[] => [
  { value: 'with', hosts: all },
  { value: 'only', hosts: retired },
]

const choiceText = ({ value, hosts }: Choice<string>): string => `${codeSpan(value)} (${thousands(hosts)})`

const matchLine = (host: SellerHost, match: RouteMatch, isNearest: boolean): string =>
  [
    `${isNearest ? 'nearest' : 'fits'}: ${codeSpan(`${match.method} ${addressOf(match.scheme, host, match.path)}`)}`,
    `price ${priceText(match.price)}`,
    ...[sourcesSay(match) ?? []].flat(),
    `network ${networkText(match.network, codeSpan)}`,
    `probe status ${match.probeStatus}`,
  ].join(', ')

function rowItem(site: Site, row: ListedHost, { query }: ListedHome): string {
  const facts = [
    counted(row.routes, 'route'),
    `rails ${row.rails.join(', ')}`,
    `price ${priceRangeText(row)}`,
    `price check ${hostCheck(row.check, row.routes, codeSpan)}`,
    `median latency ${row.medianMs === null ? NO_DATA : `${thousands(row.medianMs)} ms`}`,
    `newest evidence ${timeText(row.newestEvidenceUs)}`,
    counted(agentReviews(row), 'agent review'),
  ]
  const address = fullAddress(site, hostHref(row.host, { format: 'md' }))
  const said =
    row.description === null ? '' : `\n  ${codeSpan(row.description.source)} says: ${codeSpan(row.description.text)}`
  const nothing = unfit(query, row)
  const lines = [
    ...(row.retired == null ? [] : [retiredLine(row.retired)]),
    nowOrPast(row),
    summaryLine(row.results),
    ...(nothing === null ? [] : [nothing]),
    ...(row.match === null ? [] : [matchLine(row.host, row.match, nothing !== null)]),
  ]
  return `- [${codeSpan(row.host)}](${address}): ${facts.join('; ')}\n  ${lines.join('\n  ')}${said}`
}
