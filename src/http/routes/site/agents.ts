import { CSP } from '../../../render/html/csp.ts'
import { docsPage } from '../../../render/html/pages/docs.tsx'
import { llmsText } from '../../../render/markdown/llms.ts'
import { fullAddress, llmsHref, openapiHref } from '../../../render/site.ts'
import { payableRails } from '../../../views/policy-view.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonPage, onlyForm } from '../../cache/representation.ts'
import { sendList } from '../../cache/send-page.ts'
import { createEndpoint, type HandlerDeps } from '../../endpoint.ts'
import { openapiDocument } from '../../openapi/document.ts'
import { json, text } from '../../openapi/operation.ts'

/** A rail learns its network when its node first answers, so the terms are part of the key. */
function documentOf({ operations, site, policy }: HandlerDeps) {
  const { postPrice, rails } = policy()
  return { rails, document: () => openapiDocument(operations, site, { postPrice, rails }) }
}

export const openapiEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.openapi, id: 'openapi', tag: 'Agents', isCached: true },
  summary: 'This document',
  answers: { 200: json('json', 'OpenAPI 3.1') },
  handler: (services) => (context) => {
    const { rails, document } = documentOf(services)
    return sendList(services, context, ['openapi', rails], async () => jsonPage(document()))
  },
})

export const docsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.docs, id: 'docs', tag: 'Agents', isCached: true },
  summary: 'This document as a page',
  answers: { 200: { ...text('text/html', 'A page'), headers: { Link: 'The document, as rel="service-desc"' } } },
  handler: (services) => (context) => {
    const { site } = services
    const { rails, document } = documentOf(services)
    return sendList(services, context, ['docs', rails], async () =>
      onlyForm('text/html', docsPage(site, document(), payableRails(rails)), [
        ['Content-Security-Policy', CSP],
        ['Link', `<${fullAddress(site, openapiHref)}>; rel="service-desc"; type="application/json"`],
      ]),
    )
  },
})

export const llmsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.llms, id: 'llms', tag: 'Agents', isCached: true },
  summary: 'What this directory is and how to use it, for language models',
  answers: {
    200: {
      ...text('text/markdown', 'Markdown, as llmstxt.org describes it'),
      headers: { Link: 'Its address, as rel="canonical"' },
    },
  },
  handler: (services) => (context) => {
    const { site } = services
    const rails = payableRails(services.policy().rails)
    return sendList(services, context, ['llms', rails], async () =>
      onlyForm('text/markdown', llmsText(site, rails), [['Link', `<${fullAddress(site, llmsHref)}>; rel="canonical"`]]),
    )
  },
})
