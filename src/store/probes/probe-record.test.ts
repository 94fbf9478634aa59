import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aChallenge, aProbe } from '../../../test/support/samples.ts'
import { SHIELDS } from '../../domain/now/vantage.ts'
import { canonical } from '../../wire/log/canonical.ts'
import { knownChallenge } from './challenges.ts'
import { probeText } from './probe-record.ts'

const ms = fc.option(fc.nat({ max: 100_000 }), { nil: null })
const timings = fc.option(fc.record({ dnsMs: ms, connectMs: ms, tlsMs: ms, firstByteMs: ms }), { nil: null })

describe('what the log says of an entry', () => {
  it('is canonical JSON, whatever the entry holds', () => {
    const probes = fc.record({
      path: fc.string({ unit: 'grapheme' }),
      atUs: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
      httpStatus: fc.option(fc.integer({ min: 100, max: 599 }), { nil: null }),
      latencyMs: fc.nat(),
      error: fc.option(fc.string({ unit: 'grapheme' }), { nil: null }),
      challenge: fc.constantFrom(null, aChallenge(1000)),
      timings,
      remoteAddress: fc.option(fc.ipV6(), { nil: null }),
      vantage: fc.constantFrom(null, 'eu-1'),
      shield: fc.constantFrom(null, ...SHIELDS),
    })
    fc.assert(
      fc.property(probes, (given) => {
        const probe = aProbe(given)
        const text = probeText(probe)
        const record = JSON.parse(text)
        expect(text).toBe(canonical(record))
        expect(record.challenge_sha256).toBe(
          probe.challenge === null ? undefined : knownChallenge(probe.challenge).sha256,
        )
        expect(record).toMatchObject({ error: probe.error, http_status: probe.httpStatus, latency_ms: probe.latencyMs })
        expect([record.remote_address, record.shield, record.vantage]).toEqual(
          [probe.remoteAddress, probe.shield, probe.vantage].map((value) => value ?? undefined),
        )
        const timed = Object.values(probe.timings ?? {}).some((value) => value !== null)
        expect('timings' in record).toBe(timed)
      }),
    )
  })
})
