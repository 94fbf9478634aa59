import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { HiddenWriting } from '../../domain/words/hidden.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import type { Store } from '../store.ts'
import { readStatement } from './read-statements.ts'
import { setRetirements } from './retirements.ts'

/**
 * Takes a statement's text from every page and its effect with it, and leaves a dated placeholder with the reason. The
 * statement and its signature stay stored. `undefined`: there is no such statement.
 */
export const hideStatement = (
  store: Store,
  id: string,
  nowUs: TimestampUs,
  reason: string,
): Promise<HiddenWriting | undefined> =>
  store.write(async (writer) => {
    const found = await readStatement(writer, id)
    if (found === undefined) return undefined
    const { hostId, host } = found
    const atUs = found.hidden?.atUs ?? nowUs
    const transaction = new HostTransaction(writer, store.dialect)
    await transaction.hold([hostId])
    await writer
      .updateTable('statements')
      .set({ hidden_us: atUs, hidden_reason: reason })
      .where('host_id', '=', hostId)
      .where('statement_id', '=', id)
      .execute()
    await setRetirements(transaction, hostId)
    await transaction.log.add(hostId, [{ kind: 'statement_withdrawn', id, at: formatTimestamp(atUs), reason }])
    const data = { statement: id, reason }
    transaction.announce([{ hostId, routeId: null, atUs: nowUs, kind: 'statement_hidden', data }])
    await transaction.save()
    return { host, atUs }
  })
