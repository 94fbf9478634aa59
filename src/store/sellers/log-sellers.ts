import { sql } from 'kysely'
import { walletKey } from '../../domain/wallet.ts'
import { claimRecord, type Statement, statementRecord } from '../../wire/sellers/records.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import { readClaims, type StoredClaim } from './read-claims.ts'
import { NAMED_STATEMENTS, type StatementRow, statementOf } from './statement-rows.ts'

/** What proves them now. */
export async function logClaims(
  { writer, log }: HostTransaction,
  hostId: number,
  claims: readonly StoredClaim[],
): Promise<void> {
  if (claims.length === 0) return
  const hosts = writer.selectFrom('hosts').select('name').where('host_id', '=', hostId)
  const { name: host } = await hosts.executeTakeFirstOrThrow()
  for (const claim of claims) {
    const log_id = await log.addWritten(hostId, claimRecord({ ...claim, host }))
    const own = writer.updateTable('claims').where('host_id', '=', hostId)
    await own.where('wallet_key', '=', walletKey(claim.wallet)).set({ log_id }).execute()
  }
}

export async function logStatements(
  { writer, log }: HostTransaction,
  hostId: number,
  statements: readonly Statement[],
): Promise<void> {
  for (const statement of statements) {
    const log_id = await log.addWritten(hostId, statementRecord(statement))
    const own = writer.updateTable('statements').where('host_id', '=', hostId)
    await own.where('statement_id', '=', statement.id).set({ log_id }).execute()
  }
}

/** Claims and statements of a host that the log knows nothing of, so many at most; answers how many statements there were. */
export async function logUnknownSellers(transaction: HostTransaction, hostId: number, most: number): Promise<number> {
  const { writer } = transaction
  const unlogged = writer.selectFrom('claims').select('wallet_key').where('host_id', '=', hostId)
  const keys = new Set((await unlogged.where('log_id', 'is', null).execute()).map(({ wallet_key }) => wallet_key))
  const claims = keys.size === 0 ? [] : await readClaims(writer, hostId)
  await logClaims(
    transaction,
    hostId,
    claims.filter(({ wallet }) => keys.has(walletKey(wallet))),
  )
  const found = await sql<StatementRow>`${NAMED_STATEMENTS} where s.host_id = ${hostId} and s.log_id is null
    order by s.statement_id limit ${sql.lit(most)}`.execute(writer)
  await logStatements(transaction, hostId, found.rows.map(statementOf))
  return found.rows.length
}
