import { problem } from '../../../domain/problem-kinds.ts'
import { CSP } from '../../../render/html/csp.ts'
import { postPage } from '../../../render/html/pages/post.tsx'
import { postPageJson } from '../../../render/json/post-page.ts'
import { fullAddress, hostHref, postHref, type Site, withQuery } from '../../../render/site.ts'
import type { PostPage } from '../../../views/post-page.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import type { Rendered } from '../../cache/page.ts'
import { negotiate, sendPage } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import { type Format, MEDIA_TYPES } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { EXAMPLES, formatOf, inPath } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

/** JSON for whoever names nothing: the address is one of the API, and people's browsers ask for pages by name. */
const OFFERS = ['json', 'html'] as const satisfies readonly Format[]

export const getPostEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.post, id: 'getPost', tag: 'Threads', isCached: true },
  summary: 'One post, with everything that verifies it offline',
  parameters: [inPath('id', 'Its id', EXAMPLES.post), formatOf(OFFERS)],
  answers: { 200: forms({ json: 'PostPage', html: 'text' }, 'The post') },
  problems: ['unknown-writing', 'not-acceptable', 'rate-limited'],
  handler: (services) => async (context) => {
    const id = context.req.param('id')
    const format = negotiate(context, new Parameters(context.req.url), OFFERS)
    const response = await sendPage(services, context, {
      key: JSON.stringify(['post', id, format]),
      host: null,
      render: async () => {
        const found = await services.directory.post(id)
        return found && rendered(services.site, found, format)
      },
    })
    if (response !== undefined) return response
    throw problem('unknown-writing', 'No post has this id.')
  },
})

function rendered(site: Site, page: PostPage, format: Format): Rendered {
  return {
    contentType: MEDIA_TYPES[format],
    text: format === 'html' ? postPage(site, page) : `${JSON.stringify(postPageJson(site, page))}\n`,
    headers: [
      ['Vary', 'Accept, Accept-Encoding'],
      [
        'Link',
        [
          `<${fullAddress(site, hostHref(page.host))}>; rel="up"`,
          alternates(site, format, (other) => withQuery(postHref(page.post.id), { format: other }), OFFERS),
        ].join(', '),
      ],
      ...(format === 'html' ? [['Content-Security-Policy', CSP] as const] : []),
    ],
  }
}
