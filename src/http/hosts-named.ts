import { parseHost, type SellerHost } from '../domain/host.ts'
import type { PageSource } from './cache.ts'
import type { AppContext, Services } from './call.ts'
import { problem } from './problem-kinds.ts'
import { sendPage } from './send-page.ts'

/** The seller host that an address names, in canonical form: other spellings of it are served as the same host. */
export function hostIn(context: AppContext, { allow }: Services): SellerHost {
  const reading = parseHost(context.req.param('host') ?? '', allow)
  if (reading.ok) return reading.host
  throw problem('invalid-host', `The address does not name a seller host: ${reading.reason}.`, {
    more: { reason: reading.reason },
  })
}

/** A page about one host. */
export async function sendHostPage(
  services: Services,
  context: AppContext,
  source: PageSource & { readonly host: SellerHost },
): Promise<Response> {
  const response = await sendPage(services, context, source)
  if (response !== undefined) return response
  const near = await services.directory.nearHosts(source.host)
  throw problem('unknown-host', `No listing source has named the host ${source.host}.`, {
    more: { host: source.host, near_matches: near },
  })
}
