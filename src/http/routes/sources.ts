import { CSP } from '../../render/html/csp.ts'
import { sourcesPage } from '../../render/html/sources.tsx'
import { sourcesJson } from '../../render/json/sources.ts'
import type { Handler, Services } from '../call.ts'
import { Parameters } from '../parameters.ts'
import { negotiate, sendList } from '../send-page.ts'

/** `/sources`: the listing sources as a page, or as JSON when asked. */
export const sourcesRoute =
  (services: Services): Handler =>
  (context) => {
    const format = negotiate(context, new Parameters(context.req.url), ['html', 'json'])
    return format === 'json' ? apiSourcesRoute(services)(context) : sendSources(services)(context)
  }

const sendSources =
  (services: Services): Handler =>
  (context) =>
    sendList(services, context, ['sources', 'html'], async () => ({
      contentType: 'text/html',
      text: sourcesPage(services.site, await services.directory.sources()),
      headers: [
        ['Vary', 'Accept, Accept-Encoding'],
        ['Content-Security-Policy', CSP],
      ],
    }))

/** `/v1/sources` */
export const apiSourcesRoute =
  (services: Services): Handler =>
  (context) =>
    sendList(services, context, ['sources', 'json'], async () => ({
      contentType: 'application/json',
      text: `${JSON.stringify(sourcesJson(await services.directory.sources()))}\n`,
      headers: [['Vary', 'Accept, Accept-Encoding']],
    }))
