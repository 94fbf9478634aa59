import { sql } from 'kysely'
import { statementId } from '../../domain/seller/statement.ts'
import { statementDigestMessage } from '../../wire/sellers/lines.ts'
import { textDigest } from '../../wire/signed-lines.ts'
import type { Reader } from '../schema.ts'
import { readRetirements, retirementsFrom } from './retirements.ts'
import { NAMED_STATEMENTS, type StatementRow, statementOf } from './statement-rows.ts'

type Figures = Map<string, string | number | null>

/** What a host's seller retired, and the id of everything that it said, worked out anew from what was signed. */
export async function readSellerFigures(
  reader: Reader,
  hostId: number,
  stored: Figures,
  counted: Figures,
): Promise<void> {
  const found = await sql<StatementRow>`${NAMED_STATEMENTS} where s.host_id = ${hostId}`.execute(reader)
  for (const said of found.rows.map(statementOf)) {
    const message = statementDigestMessage(said, textDigest(said.text))
    stored.set(`statement ${said.id}`, said.id)
    counted.set(`statement ${said.id}`, statementId(said.wallet, message))
  }
  const nameOf = (routeId: number | null): string => `retired ${routeId === null ? 'host' : `route ${routeId}`}`
  for (const one of await readRetirements(reader, hostId)) stored.set(nameOf(one.routeId), one.statementId)
  for (const one of await retirementsFrom(reader, hostId)) counted.set(nameOf(one.routeId), one.statementId)
}
