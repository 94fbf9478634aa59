import { problem } from '../../domain/problem-kinds.ts'
import { CSP } from '../../render/html/csp.ts'
import { postPage } from '../../render/html/post.tsx'
import { postPageJson } from '../../render/json/post-page.ts'
import { fullAddress, hostHref, postHref, type Site, withQuery } from '../../render/site.ts'
import type { PostPage } from '../../views/post-page.ts'
import { alternates } from '../alternates.ts'
import type { Handler, Services } from '../call.ts'
import { type Format, MEDIA_TYPES } from '../negotiation.ts'
import type { Rendered } from '../page.ts'
import { Parameters } from '../parameters.ts'
import { negotiate, sendPage } from '../send-page.ts'

/** JSON for whoever names nothing: the address is one of the API, and people's browsers ask for pages by name. */
const OFFERS = ['json', 'html'] as const satisfies readonly Format[]

/** `/v1/posts/<id>`: one post, verifiable offline; a page for people who follow the link. */
export const postRoute =
  (services: Services): Handler =>
  async (context) => {
    const id = context.req.param('id') ?? ''
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
  }

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
