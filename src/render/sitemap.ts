import { formatTimestamp } from '../domain/time/timestamp.ts'
import type { CatalogueRow } from '../views/catalogue.ts'
import { fullAddress, hostHref, policyHref, probingHref, type Site, sitemapPartHref, sourcesHref } from './site.ts'
import { xmlText } from './xml.ts'

export const SITEMAP_TYPE = 'application/xml'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

const loc = (site: Site, href: string): string => `<loc>${xmlText(fullAddress(site, href))}</loc>`

/** The list of the parts. */
export function sitemapIndex(site: Site, parts: number): string {
  const numbers = Array.from({ length: parts }, (_, at) => at + 1)
  const items = numbers.map((part) => `<sitemap>${loc(site, sitemapPartHref(part, parts))}</sitemap>\n`)
  return `${HEAD}<sitemapindex ${SPACE}>\n${items.join('')}</sitemapindex>\n`
}

/** One part, piece by piece; the first holds the pages that are no host's. */
export async function* sitemapPart(
  site: Site,
  part: number,
  pages: AsyncIterable<readonly CatalogueRow[]>,
): AsyncGenerator<string> {
  const own = part === 1 ? ['/', sourcesHref, probingHref, policyHref] : []
  yield `${HEAD}<urlset ${SPACE}>\n${own.map((href) => `<url>${loc(site, href)}</url>\n`).join('')}`
  for await (const page of pages) yield page.map((row) => rowOf(site, row)).join('')
  yield '</urlset>\n'
}

const rowOf = (site: Site, { host, newestEvidenceUs }: CatalogueRow): string => {
  const changed = newestEvidenceUs === null ? '' : `<lastmod>${formatTimestamp(newestEvidenceUs)}</lastmod>`
  return `<url>${loc(site, hostHref(host))}${changed}</url>\n`
}
