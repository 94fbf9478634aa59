import { CSP } from '../../../render/html/csp.ts'
import { docsPage } from '../../../render/html/pages/docs.tsx'
import { llmsText } from '../../../render/markdown/llms.ts'
import { fullAddress, llmsHref, openapiHref } from '../../../render/site.ts'
import { payableRails } from '../../../views/policy-view.ts'
import { PATHS } from '../../../wire/paths.ts'
import { sendList } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import { openapiDocument } from '../../openapi/document.ts'
import { json, text } from '../../openapi/operation.ts'

const VARY = ['Vary', 'Accept-Encoding'] as const

/** A rail learns its network when its node first answers, so the terms are part of the key. */
export const openapiEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.openapi, id: 'openapi', tag: 'Agents', isCached: true },
  summary: 'This document',
  answers: { 200: json('json', 'OpenAPI 3.1') },
  handler: (services) => (context) => {
    const { postPrice, rails } = services.policy()
    return sendList(services, context, ['openapi', rails], async () => ({
      contentType: 'application/json',
      text: `${JSON.stringify(openapiDocument(services.operations, services.site, { postPrice, rails }))}\n`,
      headers: [VARY],
    }))
  },
})

export const docsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.docs, id: 'docs', tag: 'Agents', isCached: true },
  summary: 'This document as a page',
  answers: { 200: text('text/html', 'A page') },
  handler: (services) => (context) => {
    const { postPrice, rails } = services.policy()
    return sendList(services, context, ['docs', rails], async () => ({
      contentType: 'text/html',
      text: docsPage(
        services.site,
        openapiDocument(services.operations, services.site, { postPrice, rails }),
        payableRails(rails),
      ),
      headers: [
        VARY,
        ['Content-Security-Policy', CSP],
        ['Link', `<${fullAddress(services.site, openapiHref)}>; rel="service-desc"; type="application/json"`],
      ],
    }))
  },
})

export const llmsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.llms, id: 'llms', tag: 'Agents', isCached: true },
  summary: 'What this directory is and how to use it, for language models',
  answers: { 200: text('text/markdown', 'Markdown, as llmstxt.org describes it') },
  handler: (services) => (context) => {
    const rails = payableRails(services.policy().rails)
    return sendList(services, context, ['llms', rails], async () => ({
      contentType: 'text/markdown',
      text: llmsText(services.site, rails),
      headers: [VARY, ['Link', `<${fullAddress(services.site, llmsHref)}>; rel="canonical"`]],
    }))
  },
})
