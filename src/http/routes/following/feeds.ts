import type { SellerHost } from '../../../domain/host.ts'
import { ATOM_TYPE, atomFeed } from '../../../render/atom/feed.ts'
import { PATHS } from '../../../wire/paths.ts'
import type { Rendered } from '../../cache/page.ts'
import { onlyForm } from '../../cache/representation.ts'
import { sendList } from '../../cache/send-page.ts'
import type { Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, sendHostPage } from '../../hosts-named.ts'
import { text } from '../../openapi/operation.ts'
import { host, page } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS, LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'

async function rendered(
  { site, directory }: Services,
  host: SellerHost | null,
  parameters: Parameters,
): Promise<Rendered | undefined> {
  const cursor = parameters.cursor()
  const page = await directory.announcements({ host, limit: parameters.limit(), cursor })
  if (page === undefined) return undefined
  const now = host === null ? null : (await directory.recentResults(host, 1))?.now
  const text = atomFeed(site, host, page, { cursor, limit: parameters.text('limit'), now: now ?? null })
  return onlyForm(ATOM_TYPE, text)
}

export const feedEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.feed, id: 'feed', tag: 'Following', isCached: true },
  summary: 'Atom feed of the whole directory',
  parameters: page,
  answers: { 200: text(ATOM_TYPE, 'Newest first') },
  problems: LIST_PROBLEMS,
  handler: (services) => (context) => {
    const parameters = new Parameters(context.req.url)
    const key = ['feed', parameters.limit(), parameters.cursor()]
    return sendList(services, context, key, async () => {
      const feed = await rendered(services, null, parameters)
      if (feed === undefined) throw new Error('the whole directory is always known')
      return feed
    })
  },
})

export const hostFeedEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostFeed, id: 'hostFeed', tag: 'Following', isCached: true },
  summary: 'Atom feed of one host',
  parameters: [host, ...page],
  answers: { 200: text(ATOM_TYPE, 'Newest first') },
  problems: HOST_LIST_PROBLEMS,
  handler: (services) => (context) => {
    const host = hostIn(context, services)
    const parameters = new Parameters(context.req.url)
    const key = JSON.stringify(['feed', host, parameters.limit(), parameters.cursor()])
    return sendHostPage(services, context, { key, host, render: () => rendered(services, host, parameters) })
  },
})
