import { problem } from '../../domain/problem-kinds.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { fullAddress, policyHref, securityHref, sitemapHref } from '../../render/site.ts'
import { SITEMAP_TYPE, sitemapIndex, sitemapPart } from '../../render/sitemap.ts'
import { textAnswer, toResponse } from '../answer.ts'
import type { Handler, Services } from '../call.ts'
import { sendList } from '../send-page.ts'
import { streamOf } from '../text-stream.ts'

/** `/robots.txt`: everything may be read; where to find it. */
export const robotsRoute =
  ({ site }: Services): Handler =>
  () =>
    toResponse(textAnswer(200, 'text/plain', `User-agent: *\nAllow: /\n\nSitemap: ${fullAddress(site, sitemapHref)}\n`))

/** `/sitemap.xml`: the list of its parts. */
export const sitemapRoute =
  (services: Services): Handler =>
  (context) =>
    sendList(services, context, ['sitemap'], async () => ({
      contentType: SITEMAP_TYPE,
      text: sitemapIndex(services.site, await services.directory.catalogueParts()),
      headers: [['Vary', 'Accept-Encoding']],
    }))

const PART = /^([1-9]\d{0,4})-of-([1-9]\d{0,4})\.xml$/

/** `/sitemaps/<n>-of-<m>.xml`: one part, sent while it is read. */
export const sitemapPartRoute =
  ({ site, directory }: Services): Handler =>
  (context) => {
    const [, part = '0', of = '0'] = PART.exec(context.req.param('part') ?? '') ?? []
    if (Number(part) === 0 || Number(part) > Number(of)) {
      throw problem('not-found', 'The sitemap has no such part.', { hint: `Start from ${sitemapHref}.` })
    }
    const headers = { 'Content-Type': `${SITEMAP_TYPE}; charset=utf-8`, 'Cache-Control': 'no-cache' }
    if (context.req.method === 'HEAD') return new Response(null, { headers })
    const rows = directory.cataloguePart(Number(part), Number(of))
    return new Response(streamOf(sitemapPart(site, Number(part), rows)), { headers })
  }

const DAY_US = 86_400_000_000
/** RFC 9116 wants less than a year. */
const VALID_US = 180 * DAY_US

/** `/.well-known/security.txt`: the operator's contact, or the policy, which says how to reach them. */
export const securityRoute =
  ({ site, securityContact, nowUs }: Services): Handler =>
  () => {
    const policy = fullAddress(site, policyHref)
    const expiresUs = nowUs() - (nowUs() % DAY_US) + VALID_US
    const lines = [
      `Contact: ${securityContact ?? policy}`,
      `Expires: ${formatTimestamp(expiresUs)}`,
      `Policy: ${policy}`,
      `Canonical: ${fullAddress(site, securityHref)}`,
      'Preferred-Languages: en',
    ]
    return toResponse(textAnswer(200, 'text/plain', `${lines.join('\n')}\n`))
  }
