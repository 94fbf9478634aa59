import type { SellerHost } from '../domain/host.ts'
import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { fillPath, PATHS } from './paths.ts'

const addressed = (host: SellerHost): string =>
  `Search for a word of its name at ${PATHS.apiHosts}?q=, and see ${fillPath(PATHS.why, { host })} for what was refused of it.`

const ADDED = `A host is listed once one of the listing sources (${PATHS.sources}) names it, or whoever runs this directory adds it with tollbook add.`

/**
 * What is said wherever a host is asked for that no source has named: the same at every address.
 * @param near known hosts that may have been meant, the most alike first
 * @param look how to look for it, where that is not by addresses
 */
export function unknownHost(host: SellerHost, near: readonly SellerHost[], look = addressed(host)): Problem {
  const meant = near[0] === undefined ? [] : [`Did you mean ${near[0]}?`]
  return problem('unknown-host', `No listing source has named the host ${host}.`, {
    hint: [...meant, look, ADDED].join(' '),
    more: { host, near_matches: near },
  })
}
