import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { planOf, watching } from '../../../test/support/plans.ts'
import { aChallenge, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { findHostId } from '../host-id.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { type ProbePosition, readProbes } from './read-probes.ts'

const HOST = 'api.seller.example'

onEachEngine('the entries of a host', (engine) => {
  it('pages through entries newest first, of the host and of one route', async () => {
    const store = await engine.open()
    const probes = Array.from({ length: 25 }, (_, i) =>
      aProbe({
        atUs: NOON_US + Math.floor(i / 2),
        latencyMs: i,
        path: i % 3 ? '/a' : '/b',
        challenge: i ? null : aChallenge(1),
      }),
    )
    await saveProbes(store, { probes })
    const directory = directoryOf(store)
    const all = async (filter: { path: string | null; method: 'GET' | null }) => {
      const seen: number[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof directory.probes>> = await directory.probes(HOST, {
          limit: 4,
          cursor,
          rail: null,
          ...filter,
        })
        seen.push(...(page?.items ?? []).map((probe) => probe.latencyMs))
        cursor = page?.next ?? null
      } while (cursor !== null)
      return seen
    }
    const everything = await all({ path: null, method: null })
    expect(everything.toSorted((a, b) => a - b)).toEqual(probes.map((probe) => probe.latencyMs))
    expect(everything.map((latency) => Math.floor(latency / 2))).toEqual(
      everything.map((latency) => Math.floor(latency / 2)).toSorted((a, b) => b - a),
    )
    expect((await all({ path: '/b', method: 'GET' })).toSorted((a, b) => a - b)).toEqual([
      0, 3, 6, 9, 12, 15, 18, 21, 24,
    ])
    expect(await all({ path: '/none', method: null })).toEqual([])
  })

  it('has the entries of one vantage on all its pages: of one that stopped long ago, one that has just begun, and nobody', async () => {
    const store = await engine.open()
    const vantageOf = (n: number): string => (n < 5 ? 'old-1' : n > 36 ? 'new-1' : n % 2 === 0 ? 'eu-1' : 'us-1')
    const probes = Array.from({ length: 40 }, (_, n) =>
      aProbe({ path: n % 3 === 0 ? '/a' : '/b', atUs: NOON_US + n, latencyMs: n, vantage: vantageOf(n) }),
    )
    await saveProbes(store, { probes })
    const directory = directoryOf(store)
    const seenFrom = async (vantage: string): Promise<number[]> => {
      const seen: number[] = []
      for (let cursor: string | null = null; ; ) {
        const asked = { limit: 4, cursor, rail: null, path: null, method: null, vantage }
        const page: Awaited<ReturnType<typeof directory.probes>> = await directory.probes(HOST, asked)
        seen.push(...(page?.items ?? []).map((probe) => probe.latencyMs))
        cursor = page?.next ?? null
        if (cursor === null) return seen
      }
    }
    for (const vantage of ['old-1', 'new-1', 'eu-1', 'us-1', 'ap-1']) {
      const expected = probes.filter((probe) => probe.vantage === vantage).map(({ latencyMs }) => latencyMs)
      expect({ vantage, seen: await seenFrom(vantage) }).toEqual({ vantage, seen: expected.toReversed() })
    }
  })

  it('finds what a vantage saw by an index, and of one route among the entries of that route', async () => {
    const store = await engine.open()
    await saveProbes(store, { probes: [aProbe({ vantage: 'eu-1' }), aProbe({ vantage: 'us-1', atUs: NOON_US + 1 })] })
    const hostId = (await findHostId(store.read, HOST)) ?? -1
    const lastPlan = async (path: string | null, after: ProbePosition | null): Promise<string> => {
      const asked: CompiledQuery[] = []
      const filter = { method: null, path, rail: null, vantage: 'eu-1' }
      expect(await readProbes(watching(store, asked), hostId, filter, after, 10)).toHaveLength(1)
      const last = asked.at(-1)
      return last === undefined ? '' : planOf(store, last)
    }
    const later: ProbePosition = [NOON_US + 5, 0, 0, 0]
    for (const after of [null, later]) {
      expect(await lastPlan(null, after)).toMatch(/probes\w*_(?:by_vantage|host_id_vantage_id_at_us_idx)/)
      expect(await lastPlan(aProbe().path, after)).not.toMatch(/by_vantage|vantage_id_at_us_idx/)
    }
  })
})
