import { summaryLine } from '../../domain/probe.ts'
import type { HomeView, HostRow } from '../../views/host/hosts-view.ts'
import { conditions, hostsQuery } from '../hosts-query.ts'
import { fullAddress, hostHref, nextAddress, type Site } from '../site.ts'
import { agentReviews, counted, priceRangeText, timeText } from '../values.ts'
import { ABOUT, PRODUCT, SORT_WORDS, TAGLINE } from '../words.ts'
import { codeSpan } from './quote.ts'

export function hostsMarkdown(site: Site, home: HomeView): string {
  const asked = conditions(home.query).map((condition) => `- ${codeSpan(condition.words)}`)
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
    ...(asked.length === 0 ? [] : ['Only hosts with:', asked.join('\n')]),
    `Sorted by ${SORT_WORDS[home.query.sort]}.`,
    home.rows.length === 0
      ? next === null
        ? 'No host matches.'
        : 'No host matches among those looked at so far.'
      : home.rows.map((row) => rowItem(site, row)).join('\n'),
    ...(next === null ? [] : [`Next hosts: <${next}>`]),
  ]
  return `${blocks.join('\n\n')}\n`
}

function rowItem(site: Site, row: HostRow): string {
  const facts = [
    counted(row.routes, 'route'),
    `rails ${row.rails.join(', ')}`,
    `price ${priceRangeText(row)}`,
    `newest evidence ${timeText(row.newestEvidenceUs)}`,
    counted(agentReviews(row), 'agent review'),
  ]
  const address = fullAddress(site, hostHref(row.host, { format: 'md' }))
  const said =
    row.description === null ? '' : `\n  ${codeSpan(row.description.source)} says: ${codeSpan(row.description.text)}`
  return `- [${codeSpan(row.host)}](${address}): ${facts.join('; ')}\n  ${summaryLine(row.results)}${said}`
}
