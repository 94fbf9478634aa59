import type { Challenge } from '../../domain/challenge.ts'
import { formatPrice } from '../../domain/money/price.ts'
import type { Run } from '../../domain/now/run.ts'
import type { Sight } from '../../domain/now/sights.ts'
import type { Shield, Vantage } from '../../domain/now/vantage.ts'
import type { ResultCounts } from '../../domain/probe.ts'
import { addressOf } from '../../domain/route.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { sightOut } from '../../wire/bodies/sights.ts'
import { jsonSha256, type LoggedRecord } from '../../wire/log/logged-record.ts'
import type { RouteRef } from '../hosts/route-ref.ts'

const price = (value: number | null): string | null => (value === null ? null : formatPrice(value))

const MOST_REMEMBERED = 5000
/** A seller answers the same challenge again and again. */
const remembered = new Map<string, string>()

/** SHA-256 of a challenge as an export writes it, in canonical JSON. */
export function challengeSha256({ offers, warnings }: Challenge): string {
  const written = {
    offers: offers.map(({ rail, network, asset, payee, ...offer }) => ({
      ...{ rail, network, asset, payee },
      price: price(offer.price),
    })),
    warnings,
  }
  const text = JSON.stringify(written)
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  const hash = jsonSha256(written)
  remembered.set(text, hash)
  return hash
}

/** What the log says of an entry of a probe's history; where it was and what it saw. */
export interface LoggedProbe extends RouteRef {
  readonly atUs: number
  readonly httpStatus: number | null
  readonly latencyMs: number
  readonly error: string | null
  readonly challenge: Challenge | null
  readonly timings: {
    readonly dnsMs: number | null
    readonly connectMs: number | null
    readonly tlsMs: number | null
    readonly firstByteMs: number | null
  } | null
  readonly remoteAddress: string | null
  readonly vantage: Vantage | null
  readonly shield: Shield | null
}

const isTimed = ({ timings }: LoggedProbe): boolean =>
  timings !== null && Object.values(timings).some((value) => value !== null)

/** In canonical form: there are many of them, so members are written in their order rather than sorted. */
export const probeText = (probe: LoggedProbe): string =>
  JSON.stringify({
    challenge_sha256: probe.challenge === null ? undefined : challengeSha256(probe.challenge),
    date: formatTimestamp(probe.atUs),
    error: probe.error,
    http_status: probe.httpStatus,
    kind: 'probe',
    latency_ms: probe.latencyMs,
    method: probe.method,
    rail: probe.rail,
    remote_address: probe.remoteAddress ?? undefined,
    shield: probe.shield ?? undefined,
    timings:
      probe.timings !== null && isTimed(probe)
        ? {
            connect_ms: probe.timings.connectMs,
            dns_ms: probe.timings.dnsMs,
            first_byte_ms: probe.timings.firstByteMs,
            tls_ms: probe.timings.tlsMs,
          }
        : undefined,
    url: addressOf(probe.scheme, probe.host, probe.path),
    vantage: probe.vantage ?? undefined,
  })

/** What the log says of entries that were counted and are no longer kept one by one. */
export const foldedRecord = (
  folded: RouteRef & {
    readonly counts: ResultCounts
    readonly newestUs: number
    readonly challenge: Challenge | null
    readonly challengeUs: number | null
    readonly run: Run | null
    readonly sights: readonly Sight[]
  },
): LoggedRecord => ({
  kind: 'folded',
  method: folded.method,
  url: addressOf(folded.scheme, folded.host, folded.path),
  rail: folded.rail,
  answers: folded.counts.answers,
  '402_correct': folded.counts['402-correct'],
  failed: folded.counts.failed,
  unreachable: folded.counts.unreachable,
  newest: formatTimestamp(folded.newestUs),
  ...(folded.challenge === null ? {} : { challenge_sha256: challengeSha256(folded.challenge) }),
  challenge_at: folded.challengeUs === null ? null : formatTimestamp(folded.challengeUs),
  ...(folded.run === null
    ? {}
    : {
        run: {
          http_status: folded.run.httpStatus,
          since: formatTimestamp(folded.run.sinceUs),
          last_402: folded.run.last402Us === null ? null : formatTimestamp(folded.run.last402Us),
        },
      }),
  ...(folded.sights.length === 0 ? {} : { vantages: folded.sights.map(sightOut) }),
})
