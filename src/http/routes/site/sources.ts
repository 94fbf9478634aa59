import { problem } from '../../../domain/problem-kinds.ts'
import { CSP } from '../../../render/html/csp.ts'
import { sourcesPage } from '../../../render/html/pages/sources.tsx'
import { sourcePageJson, sourcesJson } from '../../../render/json/sources.ts'
import { sourcesHref } from '../../../render/site.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonText } from '../../answer.ts'
import { jsonPage } from '../../cache/representation.ts'
import { negotiate, sendList, sendPage } from '../../cache/send-page.ts'
import type { AppContext, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { forms, json } from '../../openapi/operation.ts'
import { formatOf, inPath } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

const sendSources = (services: Services, context: AppContext, format: 'html' | 'json'): Promise<Response> =>
  sendList(services, context, ['sources', format], async () => {
    const view = await services.directory.sources()
    const vary = ['Vary', 'Accept, Accept-Encoding'] as const
    return format === 'json'
      ? { contentType: 'application/json', text: jsonText(sourcesJson(view)), headers: [vary] }
      : {
          contentType: 'text/html',
          text: sourcesPage(services.site, view),
          headers: [vary, ['Content-Security-Policy', CSP]],
        }
  })

export const sourcesPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.sources, id: 'sourcesPage', tag: 'Directory', isCached: true },
  summary: 'Listing sources and their last sweeps, as a page',
  parameters: [formatOf(['html', 'json'])],
  answers: { 200: forms({ html: 'text', json: 'Sources' }, 'The sources') },
  problems: ['not-acceptable'],
  handler: (services) => (context) => {
    const format = negotiate(context, new Parameters(context.req.url), ['html', 'json'])
    return sendSources(services, context, format === 'json' ? 'json' : 'html')
  },
})

export const listSourcesEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiSources, id: 'listSources', tag: 'Directory', isCached: true },
  summary: 'Listing sources and their last sweeps',
  answers: { 200: json('Sources', 'The sources') },
  handler: (services) => (context) => sendSources(services, context, 'json'),
})

export const getSourceEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiSource, id: 'getSource', tag: 'Directory', isCached: true },
  summary: 'One listing source, and what its newest sweep refused, by reason',
  parameters: [inPath('name', 'The name of the source, as listing rows print it', 'bazaar')],
  answers: { 200: json('SourcePage', 'The source') },
  problems: ['not-found'],
  handler: (services) => async (context) => {
    const name = context.req.param('name') ?? ''
    const response = await sendPage(services, context, {
      key: JSON.stringify(['source', name]),
      host: null,
      render: async () => {
        const view = await services.directory.source(name)
        return view && jsonPage(sourcePageJson(view))
      },
    })
    if (response !== undefined) return response
    throw problem('not-found', 'This directory reads no listing source of that name.', {
      hint: `The sources are listed at ${sourcesHref}.`,
    })
  },
})
