import type { SellerHost } from '../../domain/host.ts'
import { ATOM_TYPE, atomFeed } from '../../render/atom/feed.ts'
import type { Handler, Services } from '../call.ts'
import { hostIn, sendHostPage } from '../hosts-named.ts'
import type { Rendered } from '../page.ts'
import { Parameters } from '../parameters.ts'
import { sendList } from '../send-page.ts'

async function rendered(
  { site, directory }: Services,
  host: SellerHost | null,
  parameters: Parameters,
): Promise<Rendered | undefined> {
  const cursor = parameters.cursor()
  const page = await directory.announcements({ host, limit: parameters.limit(), cursor })
  if (page === undefined) return undefined
  const text = atomFeed(site, host, page, { cursor, limit: parameters.text('limit') })
  return { contentType: ATOM_TYPE, text, headers: [['Vary', 'Accept-Encoding']] }
}

/** `/hosts/<seller_host>/feed.atom` */
export const hostFeedRoute =
  (services: Services): Handler =>
  (context) => {
    const host = hostIn(context, services)
    const parameters = new Parameters(context.req.url)
    const key = JSON.stringify(['feed', host, parameters.limit(), parameters.cursor()])
    return sendHostPage(services, context, { key, host, render: () => rendered(services, host, parameters) })
  }

/** `/feed.atom`: of the whole directory. */
export const feedRoute =
  (services: Services): Handler =>
  (context) => {
    const parameters = new Parameters(context.req.url)
    const key = ['feed', parameters.limit(), parameters.cursor()]
    return sendList(services, context, key, async () => {
      const page = await rendered(services, null, parameters)
      if (page === undefined) throw new Error('the whole directory is always known')
      return page
    })
  }
