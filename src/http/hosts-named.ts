import { parseHost, type SellerHost } from '../domain/host.ts'
import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { fillPath, PATHS } from '../wire/paths.ts'
import { unknownHost as unknownHostProblem } from '../wire/unknown-host.ts'
import type { PageSource } from './cache/cache.ts'
import { sendPage } from './cache/send-page.ts'
import type { AppContext, Services } from './call.ts'

/** The seller host that an address names, in canonical form: other spellings of it are served as the same host. */
export const hostIn = (context: AppContext, services: Services): SellerHost =>
  hostNamed(context.req.param('host') ?? '', services)

export function hostNamed(text: string, { allow }: Services): SellerHost {
  const reading = parseHost(text, allow)
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
  throw await unknownHost(services, source.host)
}

/** Rejects with a `Problem` unless the directory has the host. */
export async function requireHost(services: Services, host: SellerHost): Promise<void> {
  if ((await services.directory.hostVersion(host)) === undefined) throw await unknownHost(services, host)
}

export const unknownHost = async ({ directory }: Services, host: SellerHost): Promise<Problem> =>
  unknownHostProblem(host, await directory.nearHosts(host))

const BELOW_A_HOST = new RegExp(`^(?:${PATHS.apiHosts}|/hosts)/([^/]+)(/.+)$`)

/** Of an address below a host that is none, as whoever puts a seller's path behind it asks for; `null` of any other. */
export async function nothingBelowHost(services: Services, path: string): Promise<Problem | null> {
  const [, name = '', below = ''] = BELOW_A_HOST.exec(path) ?? []
  const reading = parseHost(name, services.allow)
  if (!reading.ok) return null
  const { host } = reading
  const { directory } = services
  if ((await directory.hostVersion(host)) === undefined) return unknownHost(services, host)
  return problem('not-found', `This directory has no such address below the host ${host}.`, {
    hint: `The host is at ${fillPath(PATHS.host, { host })}, and all its routes are at ${fillPath(PATHS.hostRoutes, { host })}.`,
    more: { host, near_matches: await directory.nearRoutes(host, below) },
  })
}
