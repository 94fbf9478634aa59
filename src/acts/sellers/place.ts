import type { AllowHosts, SellerHost } from '../../domain/host.ts'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { isTemplate, type Method } from '../../domain/route.ts'
import { holdsNow } from '../../domain/seller/proof.ts'
import type { About } from '../../domain/seller/statement.ts'
import { findHostId } from '../../store/host-id.ts'
import { findRoute } from '../../store/hosts/find-route.ts'
import { readPost } from '../../store/posts/read-post.ts'
import { readReview } from '../../store/reviews/read-review.ts'
import { readClaim } from '../../store/sellers/read-claims.ts'
import { readRetiredHosts } from '../../store/sellers/retirements.ts'
import type { Store } from '../../store/store.ts'
import type { StatementBody } from '../../wire/sellers/body.ts'

/** Whom this directory's probers call. */
export interface Probing {
  readonly methods: readonly Method[]
  isOptedOut(host: SellerHost): boolean
}

export interface PlaceDeps {
  readonly store: Store
  readonly allow: AllowHosts
  readonly probing: Probing
}

/** The number of the route that a statement is about, or `null`. Throws a `Problem` when it is about nothing that is here. */
export async function placeOf(deps: PlaceDeps, hostId: number, body: StatementBody): Promise<number | null> {
  const { about, kind, host, wallet } = body
  if (about.what === 'route') return routeOf(deps, hostId, body, about)
  if (about.what === 'host') {
    if (kind === 'moved') await requireClaimed(deps.store, about.host, wallet)
    return null
  }
  if (await isWritingOf(deps.store, hostId, about)) return null
  throw problem('unknown-writing', `There is no ${about.what} ${about.id} of ${host}.`)
}

async function isWritingOf(store: Store, hostId: number, { what, id }: { what: 'review' | 'post'; id: string }) {
  if (what === 'review') return (await readReview(store.read, id, hostId)) !== undefined
  return (await readPost(store.read, id))?.host_id === hostId
}

async function routeOf(
  { store, probing }: PlaceDeps,
  hostId: number,
  { kind, host }: StatementBody,
  { method, rail, address, source }: Extract<About, { what: 'route' }>,
): Promise<number> {
  const { scheme, path } = address
  const route = await findRoute(store, hostId, { scheme, method, path, rail })
  // A statement is about what is listed, not about one of the addresses that a template stands for.
  if (route?.path !== path) {
    throw problem('unknown-route', `No listing source has named ${method} ${path || '/'} on ${rail} of ${host}.`)
  }
  if (source !== null && !(await isListedBy(store, hostId, route.routeId, source))) {
    throw without(`The source ${source} does not list that route.`, 'Name a source as the host view names it.')
  }
  if (kind !== 'probe') return route.routeId
  if (isTemplate(path)) throw without('A path with parameters is never probed.', 'Ask for a probe of another route.')
  if (!probing.methods.includes(method)) {
    throw without(`This directory never sends ${method}.`, `It probes ${probing.methods.join(' and ')}.`)
  }
  if (probing.isOptedOut(host)) {
    throw without(
      'The operator of this directory was asked not to probe this host.',
      'Ask the operator to probe again.',
    )
  }
  return route.routeId
}

async function isListedBy({ read }: Store, hostId: number, routeId: number, source: string): Promise<boolean> {
  const rows = read.selectFrom('listings').select('source').where('host_id', '=', hostId)
  const row = await rows.where('route_id', '=', routeId).where('source', '=', source).limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * A host moves to one that is the same wallet's, or anybody could send its buyers to themselves or to a victim, and that is
 * sold, or two could send them to each other for ever.
 */
async function requireClaimed(store: Store, host: SellerHost, wallet: string): Promise<void> {
  const hostId = await findHostId(store.read, host)
  const claim = hostId === undefined ? undefined : await readClaim(store.read, hostId, wallet)
  if (claim !== undefined && holdsNow(claim.proofs).length > 0) {
    if (!(await readRetiredHosts(store.read, [host])).has(host)) return
    throw without(
      `${host} is itself retired by its seller.`,
      'Ask for a probe of one of its routes first, which sells it again, then say that this host moved there.',
    )
  }
  const missing =
    hostId === undefined ? `No listing source has named ${host}.` : `${wallet} has not proved to speak for ${host}.`
  throw without(missing, `Claim ${host} with the same wallet first, then say that this host moved there.`)
}

const without = (detail: string, hint: string): Problem => problem('statement-without-effect', detail, { hint })
