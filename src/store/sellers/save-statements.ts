import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Store } from '../store.ts'
import { logStatements } from './log-sellers.ts'
import { probeNow, probesAskedSince } from './probe-now.ts'
import { readClaim } from './read-claims.ts'
import { setRetirements } from './retirements.ts'
import type { PlacedStatement } from './statement-rows.ts'

const HOUR_US = 3_600_000_000
/** Of one route, by its seller's word. */
export const PROBES_AN_HOUR = 6

/** What became of a statement: `unproven` and `too_often` are stored nowhere. */
export type Taken = 'new' | 'known' | 'unproven' | 'too_often'

/** Stores a statement, lets it have its effect and announces it, in one transaction. */
export const saveStatement = (
  store: Store,
  hostId: number,
  statement: PlacedStatement,
  nowUs: TimestampUs,
): Promise<Taken> =>
  store.write(async (writer) => {
    const transaction = new HostTransaction(writer, store.dialect, nowUs)
    await transaction.hold([hostId])
    // Looked at again while nobody else changes the host: a proof may have ended since.
    const claim = await readClaim(writer, hostId, statement.wallet)
    if (!claim?.proofs.some(({ untilUs }) => untilUs === null)) return 'unproven'
    const { id, kind, routeId } = statement
    const asked = kind === 'probe' && routeId !== null ? { hostId, routeId } : null
    const isOften = asked && (await probesAskedSince(writer, asked, nowUs - HOUR_US)) >= PROBES_AN_HOUR
    const isNew = !isOften && (await addStatements(transaction, hostId, [statement])) > 0
    if (isNew) {
      await setRetirements(transaction, hostId)
      if (asked !== null) await probeNow(writer, asked, nowUs)
      transaction.announce([{ hostId, routeId, atUs: nowUs, kind: 'statement', data: { statement: id, says: kind } }])
      await transaction.save()
    }
    return isOften ? 'too_often' : isNew ? 'new' : 'known'
  })

/** In a transaction that holds the host: those that are not there yet. Answers how many. */
export async function addStatements(
  transaction: HostTransaction,
  hostId: number,
  statements: readonly PlacedStatement[],
): Promise<number> {
  const { writer } = transaction
  const added: PlacedStatement[] = []
  for (const statement of statements) {
    const inserted = await writer
      .insertInto('statements')
      .values({
        host_id: hostId,
        statement_id: statement.id,
        kind: statement.kind,
        about: statement.about,
        route_id: statement.routeId,
        text: statement.text,
        wallet: statement.wallet,
        signature: statement.signature,
        signed_at: statement.signedAt,
        directory: statement.directory,
        submitted_us: statement.submittedUs,
        hidden_us: statement.hidden?.atUs ?? null,
        hidden_reason: statement.hidden?.reason ?? null,
        log_id: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('statement_id')
      .execute()
    if (inserted.length > 0) added.push(statement)
  }
  await logStatements(transaction, hostId, added)
  return added.length
}
