import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { key53 } from '../../domain/keys.ts'
import type { Placed } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'

const challengeText = (challenge: Challenge): string =>
  JSON.stringify({
    offers: challenge.offers.map(({ rail, network, price, asset, payee }) => ({ rail, network, price, asset, payee })),
    warnings: challenge.warnings,
  })

/** A seller answers the same challenge again and again: each is stored once, by its content. Answers their keys. */
export async function saveChallenges(
  writer: Writer,
  dialect: Dialect,
  inputs: readonly Placed<{ readonly challenge: Challenge | null }>[],
): Promise<ReadonlyMap<Challenge, number>> {
  const keys = new Map<Challenge, number>()
  const keyOfText = new Map<string, number>()
  const rows = new Map<string, Row>()
  for (const { at, challenge } of inputs) {
    if (challenge === null) continue
    const text = challengeText(challenge)
    const key = keyOfText.get(text) ?? key53(text)
    keyOfText.set(text, key)
    keys.set(challenge, key)
    rows.set(`${at.hostId}/${key}`, [at.hostId, key, text])
  }
  if (rows.size === 0) return keys
  await sql`insert into challenges (host_id, challenge_id, body)
    select host_id, challenge_id, body
    from ${dialect.hostRows({ host_id: 'int', challenge_id: 'int', body: 'text' }, [...rows.values()])} as v where true
    on conflict (host_id, challenge_id) do nothing`.execute(writer)
  return keys
}
