import type { Challenge } from '../../domain/challenge.ts'
import type { Run } from '../../domain/now/run.ts'
import type { Sight } from '../../domain/now/sights.ts'
import type { Shield, Vantage } from '../../domain/now/vantage.ts'
import type { ResultCounts } from '../../domain/probe.ts'
import { addressOf } from '../../domain/route.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { sightOut } from '../../wire/bodies/sights.ts'
import type { LoggedRecord } from '../../wire/log/logged-record.ts'
import type { RouteRef } from '../hosts/route-ref.ts'
import { knownChallenge } from './challenges.ts'

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

const member = (name: string, value: string | null): string =>
  value === null ? '' : `,"${name}":${JSON.stringify(value)}`

function timingsMember({ timings }: LoggedProbe): string {
  if (timings === null) return ''
  const { connectMs, dnsMs, firstByteMs, tlsMs } = timings
  if (connectMs === null && dnsMs === null && firstByteMs === null && tlsMs === null) return ''
  return `,"timings":{"connect_ms":${connectMs},"dns_ms":${dnsMs},"first_byte_ms":${firstByteMs},"tls_ms":${tlsMs}}`
}

/** In canonical form. There are many of them, so they are written member by member in their order. */
export function probeText(probe: LoggedProbe): string {
  const { challenge, atUs, error, httpStatus, latencyMs, method, rail, scheme, host, path } = probe
  const first = challenge === null ? '' : `"challenge_sha256":"${knownChallenge(challenge).sha256}",`
  const seen = `"error":${JSON.stringify(error)},"http_status":${httpStatus},"kind":"probe","latency_ms":${latencyMs}`
  const from = `${member('remote_address', probe.remoteAddress)}${member('shield', probe.shield)}${timingsMember(probe)}`
  const url = `"url":${JSON.stringify(addressOf(scheme, host, path))}${member('vantage', probe.vantage)}`
  return `{${first}"date":"${formatTimestamp(atUs)}",${seen},"method":"${method}","rail":"${rail}"${from},${url}}`
}

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
  ...(folded.challenge === null ? {} : { challenge_sha256: knownChallenge(folded.challenge).sha256 }),
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
