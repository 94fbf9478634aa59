import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import { findHostId } from '../host-id.ts'
import type { StorePart } from '../sql/parts.ts'
import { RememberedStatement } from '../sql/remembered.ts'

/** Like `findHostId`, for pages, which ask with every request. */
export async function hostIdIn(part: StorePart, host: SellerHost): Promise<number | undefined> {
  const hostId = hostKey(host)
  const [row] = await NAMED.run(part, { hostId })
  if (row === undefined) return undefined
  return row.name === host ? hostId : findHostId(part.read, host)
}

const NAMED = new RememberedStatement(
  { hostId: 0 },
  (_, { hostId }) => sql<{ readonly name: string }>`select name from hosts where host_id = ${hostId}`,
)
