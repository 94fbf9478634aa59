import { type RawBuilder, sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { SeenChallenge } from '../../domain/money/asked-prices.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { JsonText } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { readJson } from '../sql/json.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'

/** Entries with a challenge that are looked at, the newest: some probers look often, and a seller may ask for another price each time. */
export const MOST_CHALLENGES = 500

interface ChallengeRow {
  readonly body: JsonText<Challenge>
  readonly n: number
  readonly first_us: number
  readonly last_us: number
}

const COLUMNS = { body: 'value', n: 'value', first_us: 'value', last_us: 'value' } as const

const rowsIn = rowReader<ChallengeRow>(COLUMNS)

/** What a route's own 402 answers said between these times, each challenge once. */
export const challengesOf = (
  dialect: Dialect,
  { hostId, routeId }: RouteId,
  { since, upto }: { readonly since: TimestampUs; readonly upto: TimestampUs },
): RawBuilder<JsonRows<ChallengeRow>> =>
  dialect.jsonRows(
    COLUMNS,
    sql<ChallengeRow>`select c.body, t.n, t.first_us, t.last_us
      from (select challenge_id, count(*) as n, min(at_us) as first_us, max(at_us) as last_us
        from (select challenge_id, at_us from probes where host_id = ${hostId} and route_id = ${routeId}
            and at_us >= ${since} and at_us <= ${upto} and challenge_id is not null
          order by at_us desc limit ${sql.lit(MOST_CHALLENGES)}) as newest
        group by challenge_id) as t
      cross join challenges as c
      where c.host_id = ${hostId} and c.challenge_id = t.challenge_id order by t.last_us, t.first_us`,
  )

export const challengesIn = (rows: JsonRows<ChallengeRow>): SeenChallenge[] =>
  rowsIn(rows).map(({ body, n, first_us, last_us }) => ({
    challenge: readJson(body),
    entries: n,
    firstUs: first_us,
    lastUs: last_us,
  }))
