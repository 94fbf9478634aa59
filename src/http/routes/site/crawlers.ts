import { problem } from '../../../domain/problem-kinds.ts'
import { DAY_US, dayOf } from '../../../domain/time/day.ts'
import { formatTimestamp } from '../../../domain/time/timestamp.ts'
import { fullAddress, policyHref, securityHref, sitemapHref } from '../../../render/site.ts'
import { SITEMAP_TYPE, sitemapIndex, sitemapPart } from '../../../render/sitemap.ts'
import { PATHS } from '../../../wire/paths.ts'
import { textAnswer, toResponse } from '../../answer.ts'
import { onlyForm } from '../../cache/representation.ts'
import { sendList } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import { text } from '../../openapi/operation.ts'
import { inPath } from '../../openapi/parameters.ts'
import { streamOf } from '../../text-stream.ts'

export const robotsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.robots, id: 'robots', tag: 'Directory', isCached: true },
  summary: 'For crawlers',
  answers: { 200: text('text/plain', 'Everything may be read') },
  handler:
    ({ site }) =>
    () => {
      const lines = `User-agent: *\nAllow: /\n\nSitemap: ${fullAddress(site, sitemapHref)}\n`
      return toResponse(textAnswer(200, 'text/plain', lines))
    },
})

export const sitemapEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.sitemap, id: 'sitemap', tag: 'Directory', isCached: true },
  summary: 'The list of the sitemap’s parts',
  answers: { 200: text(SITEMAP_TYPE, 'A sitemap index') },
  handler: (services) => (context) =>
    sendList(services, context, ['sitemap'], async () =>
      onlyForm(SITEMAP_TYPE, sitemapIndex(services.site, await services.directory.catalogueParts())),
    ),
})

const PART = /^([1-9]\d{0,4})-of-([1-9]\d{0,4})\.xml$/

/** Sent while it is read. */
export const sitemapPartEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.sitemapPart, id: 'sitemapPart', tag: 'Directory' },
  summary: 'One part of the sitemap',
  parameters: [inPath('part', 'As the index names it', '1-of-1.xml')],
  answers: { 200: text(SITEMAP_TYPE, 'A sitemap') },
  problems: ['not-found'],
  handler:
    ({ site, directory }) =>
    (context) => {
      const [, part = '0', of = '0'] = PART.exec(context.req.param('part')) ?? []
      if (Number(part) === 0 || Number(part) > Number(of)) {
        throw problem('not-found', 'The sitemap has no such part.', { hint: `Start from ${sitemapHref}.` })
      }
      const headers = { 'Content-Type': `${SITEMAP_TYPE}; charset=utf-8`, 'Cache-Control': 'no-cache' }
      if (context.req.method === 'HEAD') return new Response(null, { headers })
      const rows = directory.cataloguePart(Number(part), Number(of))
      return new Response(streamOf(sitemapPart(site, Number(part), rows)), { headers })
    },
})

/** RFC 9116 wants less than a year. */
const VALID_DAYS = 180

/** The operator's contact, or the policy, which says how to reach them. */
export const securityEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.security, id: 'securityContact', tag: 'Directory', isCached: true },
  summary: 'Where to report a weakness',
  answers: { 200: text('text/plain', 'RFC 9116') },
  handler:
    ({ site, securityContact, nowUs }) =>
    () => {
      const policy = fullAddress(site, policyHref)
      const lines = [
        `Contact: ${securityContact ?? policy}`,
        `Expires: ${formatTimestamp((dayOf(nowUs()) + VALID_DAYS) * DAY_US)}`,
        `Policy: ${policy}`,
        `Canonical: ${fullAddress(site, securityHref)}`,
        'Preferred-Languages: en',
      ]
      return toResponse(textAnswer(200, 'text/plain', `${lines.join('\n')}\n`))
    },
})
