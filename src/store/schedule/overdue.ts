import { NO_VANTAGE, type Vantage } from '../../domain/now/vantage.ts'
import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { NO_VANTAGE_ID } from '../probes/vantages.ts'
import type { Reader } from '../schema.ts'

/** When the turn of the host that is first in line came, or will. */
export interface FirstTurn {
  readonly vantage: Vantage
  readonly dueUs: TimestampUs
}

/** A vantage whose last turn came so long before that of others is given up: nobody waits for it. */
export const GIVEN_UP_US = 2 * DAY_US

/** Of each vantage that is worked on; of those without a name as one. */
export async function firstTurns(reader: Reader): Promise<FirstTurn[]> {
  const named = await reader.selectFrom('vantages').selectAll().orderBy('name').execute()
  const vantages = [{ vantage_id: NO_VANTAGE_ID, name: NO_VANTAGE }, ...named]
  const found = await Promise.all(
    vantages.map(async ({ vantage_id, name: vantage }) => {
      const turns = reader.selectFrom('host_turns').where('vantage_id', '=', vantage_id)
      // Each from one end of the index: asked for both at once, SQLite would read all of it.
      const first = await turns.select(({ fn }) => fn.min('due_us').as('us')).executeTakeFirst()
      const last = await turns.select(({ fn }) => fn.max('due_us').as('us')).executeTakeFirst()
      return { vantage, dueUs: first?.us ?? null, lastUs: last?.us ?? 0 }
    }),
  )
  const latestUs = Math.max(...found.map(({ lastUs }) => lastUs))
  return found.flatMap(({ vantage, dueUs, lastUs }) =>
    dueUs === null || lastUs < latestUs - GIVEN_UP_US ? [] : [{ vantage, dueUs }],
  )
}
