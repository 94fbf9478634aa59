import { CSP } from '../../render/html/csp.ts'
import { docsPage } from '../../render/html/docs.tsx'
import { llmsText } from '../../render/markdown/llms.ts'
import { fullAddress, llmsHref, openapiHref } from '../../render/site.ts'
import type { Handler, Services } from '../call.ts'
import { openapiDocument } from '../openapi/document.ts'
import { sendList } from '../send-page.ts'

const VARY = ['Vary', 'Accept-Encoding'] as const
/** Documents that say nothing about anybody, for programs that run in pages of any site. */
const ANYWHERE = ['Access-Control-Allow-Origin', '*'] as const

/** `/openapi.json`. A rail learns its network when its node first answers, so the terms are part of the key. */
export const openapiRoute =
  (services: Services): Handler =>
  (context) => {
    const { postPrice, rails } = services.policy()
    return sendList(services, context, ['openapi', rails], async () => ({
      contentType: 'application/json',
      text: `${JSON.stringify(openapiDocument(services.site, { postPrice, rails }))}\n`,
      headers: [VARY, ANYWHERE],
    }))
  }

/** `/docs`: the same document as a page. */
export const docsRoute =
  (services: Services): Handler =>
  (context) => {
    const { postPrice, rails } = services.policy()
    return sendList(services, context, ['docs', rails], async () => ({
      contentType: 'text/html',
      text: docsPage(services.site, openapiDocument(services.site, { postPrice, rails })),
      headers: [
        VARY,
        ['Content-Security-Policy', CSP],
        ['Link', `<${fullAddress(services.site, openapiHref)}>; rel="service-desc"; type="application/json"`],
      ],
    }))
  }

/** `/llms.txt` */
export const llmsRoute =
  (services: Services): Handler =>
  (context) =>
    sendList(services, context, ['llms'], async () => ({
      contentType: 'text/markdown',
      text: llmsText(services.site),
      headers: [VARY, ANYWHERE, ['Link', `<${fullAddress(services.site, llmsHref)}>; rel="canonical"`]],
    }))
