import type { SellerHost } from '../../domain/host.ts'
import { type Retirement, retirementsOf, type Told } from '../../domain/seller/statement.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import type { Reader, RetirementTable } from '../schema.ts'
import { WHOLE_HOST } from '../sql/retired.ts'

/** What a host's statements say that it retired. Hidden ones say nothing. */
export async function retirementsFrom(reader: Reader, hostId: number): Promise<readonly Retirement[]> {
  const rows = await reader
    .selectFrom('statements')
    .select(['statement_id', 'kind', 'about', 'route_id', 'submitted_us'])
    .where('host_id', '=', hostId)
    .where('kind', 'in', ['retire', 'moved', 'probe'])
    .where('hidden_us', 'is', null)
    .execute()
  return retirementsOf(
    rows.map(
      (row): Told => ({
        id: row.statement_id,
        kind: row.kind,
        about: row.about,
        routeId: row.route_id,
        atUs: row.submitted_us,
      }),
    ),
  )
}

/** In a transaction that holds the host, after its statements changed. */
export async function setRetirements(transaction: HostTransaction, hostId: number): Promise<void> {
  const { writer } = transaction
  const retired = await retirementsFrom(writer, hostId)
  await writer.deleteFrom('retirements').where('host_id', '=', hostId).execute()
  for (const { routeId, sinceUs, statementId, movedTo } of retired) {
    await writer
      .insertInto('retirements')
      .values({
        host_id: hostId,
        route_id: routeId ?? WHOLE_HOST,
        since_us: sinceUs,
        statement_id: statementId,
        moved_to: movedTo,
      })
      .execute()
  }
  // What a host's routes sum up to leaves out those that are retired.
  transaction.changed([{ hostId, routeId: WHOLE_HOST }])
  transaction.words.addFaceted([hostId])
}

const retirementOf = (row: RetirementTable): Retirement => ({
  routeId: row.route_id === WHOLE_HOST ? null : row.route_id,
  sinceUs: row.since_us,
  statementId: row.statement_id,
  movedTo: row.moved_to,
})

/** The whole host first, where it is. */
export async function readRetirements(reader: Reader, hostId: number): Promise<Retirement[]> {
  const rows = await reader
    .selectFrom('retirements')
    .selectAll()
    .where('host_id', '=', hostId)
    .orderBy('route_id')
    .execute()
  return rows.map(retirementOf)
}

/** Of these hosts, those that are retired as a whole. */
export async function readRetiredHosts(
  reader: Reader,
  hosts: readonly SellerHost[],
): Promise<ReadonlyMap<SellerHost, Omit<Retirement, 'routeId'>>> {
  const rows = await reader
    .selectFrom('hosts as h')
    .innerJoin('retirements as g', 'g.host_id', 'h.host_id')
    .select(['h.name', 'g.since_us as sinceUs', 'g.statement_id as statementId', 'g.moved_to as movedTo'])
    .where('h.name', 'in', hosts)
    .where('g.route_id', '=', WHOLE_HOST)
    .execute()
  return new Map(rows.map(({ name, ...retired }) => [name, retired]))
}
