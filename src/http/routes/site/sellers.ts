import { parseHost } from '../../../domain/host.ts'
import { hostNamedIn } from '../../../domain/words/asked.ts'
import { sellersPage } from '../../../render/html/pages/sellers.tsx'
import { sellersMarkdown } from '../../../render/markdown/sellers.ts'
import { sellersHref, withQuery } from '../../../render/site.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate, sendList } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import type { Format } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { EXAMPLES, formatOf, inQuery } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

const OFFERS = ['html', 'md'] as const satisfies readonly Format[]

export const sellersEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.sellers, id: 'sellersPage', tag: 'Directory', isCached: true },
  summary: 'For sellers: why they are listed, how to correct it, the badge',
  parameters: [
    inQuery('host', 'Links to the pages of this host, and commands for it', { example: EXAMPLES.host }),
    formatOf(OFFERS),
  ],
  answers: { 200: forms({ html: 'text', md: 'text' }, 'A page') },
  problems: ['not-acceptable'],
  handler: (services) => (context) => {
    const { site, allow } = services
    const parameters = new Parameters(context.req.url)
    const format = negotiate(context, parameters, OFFERS)
    const host = parameters.parsed('host', 'a seller host such as api.example.com', (text) => {
      const reading = parseHost(hostNamedIn(text), allow)
      return reading.ok ? reading.host : undefined
    })
    return sendList(services, context, ['sellers', format, host], async () =>
      representation(
        format,
        format === 'html' ? sellersPage(site, host) : sellersMarkdown(site, host),
        alternates(site, format, (other) => withQuery(sellersHref, { host, format: other }), OFFERS),
      ),
    )
  },
})
