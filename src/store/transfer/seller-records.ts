import { sql } from 'kysely'
import { parseAbout } from '../../domain/seller/statement.ts'
import type { RecordOf, WrittenRecord } from '../../wire/records.ts'
import { type Claim, claimRecord, type Statement, statementRecord } from '../../wire/sellers/records.ts'
import { parseWallet } from '../../wire/wallet.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import type { RouteRef } from '../hosts/route-ref.ts'
import type { Reader } from '../schema.ts'
import { addClaim, addProofs } from '../sellers/claims.ts'
import { readClaims } from '../sellers/read-claims.ts'
import { setRetirements } from '../sellers/retirements.ts'
import { addStatements } from '../sellers/save-statements.ts'
import { NAMED_STATEMENTS, type StatementRow, statementOf } from '../sellers/statement-rows.ts'

const PAGE = 1000

/** Who proved to speak for a host, host by host. */
export async function* claimRecords(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  for (let after = -1; ; ) {
    const page = await sql<{ host_id: number; name: string }>`select h.host_id, h.name from hosts as h
      where h.host_id in (select distinct c.host_id from claims as c where c.host_id > ${after}
        order by c.host_id limit ${sql.lit(PAGE)}) order by h.host_id`.execute(reader)
    for (const { host_id, name } of page.rows) {
      yield (await readClaims(reader, host_id)).map((claim) => claimRecord({ ...claim, host: name }))
    }
    const last = page.rows.at(-1)
    if (last === undefined) return
    after = last.host_id
  }
}

/** What sellers said, in the order of its key. */
export async function* statementRecords(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  let after: readonly [hostId: number, id: string] = [-1, '']
  for (;;) {
    const page = await sql<StatementRow>`${NAMED_STATEMENTS} where (s.host_id, s.statement_id) > (${sql.join(after)})
      order by s.host_id, s.statement_id limit ${sql.lit(PAGE)}`.execute(reader)
    if (page.rows.length > 0) yield page.rows.map((row) => statementRecord(statementOf(row)))
    const last = page.rows.at(-1)
    if (page.rows.length < PAGE || last === undefined) return
    after = [last.host_id, last.statement_id]
  }
}

export const claimIn = (record: RecordOf<'claim'>): Claim => ({
  host: record.host,
  wallet: parseWallet(record.wallet) ?? record.wallet,
  walletLine: record.wallet,
  signature: record.signature,
  signedAt: record.signed_at,
  directory: record.directory,
  claimedUs: record.claimed_at,
  proofs: record.proofs.map(({ proof, since, seen, until }) => ({
    ...{ proof, sinceUs: since, seenUs: seen, untilUs: until },
  })),
})

export const statementIn = (record: RecordOf<'statement'>): Statement => ({
  host: record.host,
  id: record.id,
  kind: record.says,
  about: record.about,
  text: record.text,
  wallet: record.wallet,
  signature: record.signature,
  signedAt: record.signed_at,
  directory: record.directory,
  submittedUs: record.submitted_at,
  hidden: record.hidden && { atUs: record.hidden.at, reason: record.hidden.reason },
})

/** The route that a statement is about. */
export function routeOfStatement({ kind, about, host }: Statement): RouteRef | null {
  const reading = parseAbout(kind, about, host, [host.replace(/:\d+$/, '')])
  if (!reading.ok || reading.about.what !== 'route') return null
  const { method, rail, address } = reading.about
  return { method, rail, ...address }
}

/** What a move between stores brings of sellers, in a transaction that claimed their hosts and `routes`. */
export async function addSellers(
  transaction: HostTransaction,
  claims: readonly Claim[],
  statements: readonly Statement[],
  routes: ReadonlyMap<Statement, RouteRef>,
): Promise<void> {
  for (const claim of claims) {
    const hostId = transaction.hostIdOf(claim.host)
    // Looked at as soon as somebody can: what held elsewhere may not hold any more.
    await addClaim(transaction, { ...claim, hostId }, 0)
    await addProofs(transaction, hostId, claim.wallet, claim.proofs)
  }
  for (const statement of statements) {
    const route = routes.get(statement)
    const routeId = route === undefined ? null : transaction.routeIdOf(route).routeId
    await addStatements(transaction, transaction.hostIdOf(statement.host), [{ ...statement, routeId }])
  }
  const told = new Set(statements.map(({ host }) => transaction.hostIdOf(host)))
  for (const hostId of told) await setRetirements(transaction, hostId)
}
