import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { key53 } from '../../domain/keys.ts'
import { formatPrice } from '../../domain/money/price.ts'
import { jsonSha256 } from '../../wire/log/logged-record.ts'
import type { Placed } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'

/** How a challenge is stored. */
export const challengeText = (challenge: Challenge): string =>
  JSON.stringify({
    offers: challenge.offers.map(({ rail, network, price, asset, payee }) => ({ rail, network, price, asset, payee })),
    warnings: challenge.warnings,
  })

/** A challenge by its content. */
export interface KnownChallenge {
  readonly id: number
  readonly text: string
  /** SHA-256 of it as an export writes it, in canonical JSON. */
  readonly sha256: string
}

const MOST_REMEMBERED = 5000
/** A seller answers the same challenge again and again. */
const byText = new Map<string, KnownChallenge>()
const byObject = new WeakMap<Challenge, KnownChallenge>()

export function knownChallenge(challenge: Challenge): KnownChallenge {
  const seen = byObject.get(challenge)
  if (seen !== undefined) return seen
  const text = challengeText(challenge)
  const known = byText.get(text) ?? { id: key53(text), text, sha256: writtenSha256(challenge) }
  if (byText.size >= MOST_REMEMBERED) byText.clear()
  byText.set(text, known)
  byObject.set(challenge, known)
  return known
}

const writtenSha256 = ({ offers, warnings }: Challenge): string =>
  jsonSha256({
    offers: offers.map(({ rail, network, asset, payee, price }) => ({
      ...{ rail, network, asset, payee },
      price: price === null ? null : formatPrice(price),
    })),
    warnings,
  })

/** A seller answers the same challenge again and again: each is stored once, by its content. */
export async function saveChallenges(
  writer: Writer,
  dialect: Dialect,
  inputs: readonly Placed<{ readonly challenge: Challenge | null }>[],
): Promise<void> {
  const rows = new Map<string, Row>()
  for (const { at, challenge } of inputs) {
    if (challenge === null) continue
    const { id, text } = knownChallenge(challenge)
    rows.set(`${at.hostId}/${id}`, [at.hostId, id, text])
  }
  if (rows.size > 0) await ADD.runLater(writer, dialect, [...rows.values()])
}

const ADD = new RowsStatement(
  (dialect, rows) => sql`insert into challenges (host_id, challenge_id, body)
    select host_id, challenge_id, body
    from ${dialect.hostRows({ host_id: 'int', challenge_id: 'int', body: 'text' }, rows)} as v where true
    on conflict (host_id, challenge_id) do nothing`,
)
