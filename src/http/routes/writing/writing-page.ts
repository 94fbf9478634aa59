import { problem } from '../../../domain/problem-kinds.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import { type Site, withQuery } from '../../../render/site.ts'
import type { Directory } from '../../../views/directory.ts'
import type { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText } from '../../answer.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate, sendPage } from '../../cache/send-page.ts'
import { createEndpoint, type Endpoint } from '../../endpoint.ts'
import type { Format } from '../../negotiation.ts'
import type { ComponentName } from '../../openapi/components.ts'
import { forms, type Tag } from '../../openapi/operation.ts'
import { formatOf, inPath } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

/** JSON for whoever names nothing: the address is one of the API, and people's browsers ask for pages by name. */
const OFFERS = ['json', 'html'] as const satisfies readonly Format[]

/** The page of one piece of writing, by its id. */
interface WritingPage<Page> {
  readonly noun: 'post' | 'review' | 'statement'
  readonly path: (typeof PATHS)['post' | 'review' | 'statement']
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  /** An id of the sample world. */
  readonly example: string
  readonly schema: ComponentName
  readonly answer: string
  find(directory: Directory, id: string): Promise<Page | undefined>
  json(site: Site, page: Page): unknown
  html(site: Site, page: Page, nowUs: TimestampUs): string
  href(id: string): string
  /** Of the `Link` field, before the other representation. */
  links?(site: Site, page: Page): readonly string[]
}

export const createWritingEndpoint = <Page>(writing: WritingPage<Page>): Endpoint => {
  const { noun, path, id, tag, summary, example, schema, answer } = writing
  return createEndpoint({
    ...{ method: 'get', path, id, tag, summary, isCached: true },
    parameters: [inPath('id', 'Its id', example), formatOf(OFFERS)],
    answers: { 200: forms({ json: schema, html: 'text' }, answer) },
    problems: ['unknown-writing', 'not-acceptable'],
    handler: (services) => async (context) => {
      const { site, directory, nowUs } = services
      const asked = context.req.param('id')
      const format = negotiate(context, new Parameters(context.req.url), OFFERS)
      const response = await sendPage(services, context, {
        key: JSON.stringify([noun, asked, format]),
        host: null,
        render: async () => {
          const page = await writing.find(directory, asked)
          if (page === undefined) return undefined
          const as = (other: Format): string => withQuery(writing.href(asked), { format: other })
          const link = [...(writing.links?.(site, page) ?? []), alternates(site, format, as, OFFERS)].join(', ')
          const text = format === 'html' ? writing.html(site, page, nowUs()) : jsonText(writing.json(site, page))
          return representation(format, text, link)
        },
      })
      if (response !== undefined) return response
      throw problem('unknown-writing', `No ${noun} has this id.`)
    },
  })
}
