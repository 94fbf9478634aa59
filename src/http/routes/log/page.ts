import { CSP } from '../../../render/html/csp.ts'
import { logPage } from '../../../render/html/pages/log.tsx'
import { logPageJson } from '../../../render/json/log.ts'
import { logMarkdown } from '../../../render/log/markdown.ts'
import { logHref, type Site, withQuery } from '../../../render/site.ts'
import type { LogView } from '../../../views/log-view.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText, textAnswer, toResponse } from '../../answer.ts'
import { negotiate } from '../../cache/send-page.ts'
import { compressed } from '../../compressed.ts'
import { createEndpoint } from '../../endpoint.ts'
import { type Format, MEDIA_TYPES } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { formatOf } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'
import { openLog } from './open-log.ts'

const BODIES: Readonly<Record<Format, (site: Site, view: LogView) => string>> = {
  html: logPage,
  md: logMarkdown,
  json: (site, view) => jsonText(logPageJson(site, view)),
}

/** Never out of the cache: it says how long ago things were. */
export const logPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.log, id: 'evidenceLog', tag: 'Log', isCached: true },
  summary: 'The evidence log: size, root, witnesses, how to verify it, as a page, Markdown or JSON',
  parameters: [formatOf(['html', 'md', 'json'])],
  answers: { 200: forms({ html: 'text', md: 'text', json: 'EvidenceLog' }, 'The log at a glance') },
  problems: ['not-acceptable', 'log-off'],
  handler: (services) => async (context) => {
    const { site, nowUs } = services
    const format = negotiate(context, new Parameters(context.req.url))
    const status = await (await openLog(services)).status()
    const answer = textAnswer(200, MEDIA_TYPES[format], BODIES[format](site, { ...status, nowUs: nowUs() }), {
      Vary: 'Accept, Accept-Encoding',
      Link: alternates(site, format, (other) => withQuery(logHref, { format: other })),
      ...(format === 'html' ? { 'Content-Security-Policy': CSP } : {}),
    })
    return toResponse(await compressed(context.env.call.head, answer))
  },
})
