import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Reader } from '../schema.ts'
import { readCompleteSweeps, readSource } from './sweeps.ts'

/** How a source stands between its sweeps. */
export interface Standing {
  readonly source: string
  /** End of its newest complete sweep. */
  readonly completeUs: TimestampUs | null
  /** Start of the first sweep that was ever made of it. */
  readonly firstUs: TimestampUs | null
  /** When it is to be swept next; `null`: nobody has ever looked at it. */
  readonly dueUs: TimestampUs | null
  /** Whoever sweeps it holds it until then. */
  readonly leasedUntilUs: TimestampUs
}

/** One after another: whoever watches a busy store must not take its connections. */
export async function sourceStandings(reader: Reader, sources: readonly string[]): Promise<Standing[]> {
  const standings: Standing[] = []
  for (const source of sources) standings.push(await standingOf(reader, source))
  return standings
}

async function standingOf(reader: Reader, source: string): Promise<Standing> {
  const known = await readSource(reader, source)
  const [complete] = await readCompleteSweeps(reader, source, 1)
  const sweeps = reader.selectFrom('sweeps').select('started_us').where('source', '=', source)
  const first = await sweeps.orderBy('started_us').limit(1).executeTakeFirst()
  return {
    source,
    completeUs: complete?.ended_us ?? null,
    firstUs: first?.started_us ?? null,
    dueUs: known === undefined || known.due_us === 0 ? null : known.due_us,
    leasedUntilUs: known?.lease_until_us ?? 0,
  }
}
