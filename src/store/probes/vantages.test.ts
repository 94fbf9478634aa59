import fc from 'fast-check'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { recordSchema } from '../../wire/records.ts'
import { findHostId } from '../host-id.ts'
import { countProbes, readProbes } from '../pages/read-probes.ts'
import type { Store } from '../store.ts'
import { exportRecords } from '../transfer/export.ts'
import { evidenceOf } from '../transfer/import.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../transfer/verify.ts'
import type { ProbeInput } from './probes.ts'
import { retain } from './retention.ts'
import { saveProbes } from './save-probes.ts'

const HOST = 'api.seller.example'
const HOUR_US = DAY_US / 24

/** `eu-1` is asked for payment, `ap-1` is refused from the second look on. */
const looks = (n: number): ProbeInput[] =>
  Array.from({ length: n }, (_, look) => [
    aProbe({ vantage: 'eu-1', atUs: NOON_US + look * 6 * HOUR_US }),
    aProbe({
      ...{ vantage: 'ap-1', atUs: NOON_US + look * 6 * HOUR_US + HOUR_US, latencyMs: 30 },
      ...(look === 0 ? {} : { httpStatus: 403, shield: 'cloudflare' as const }),
    }),
  ]).flat()

const differences = async (store: Store): Promise<Difference[]> => {
  const found: Difference[] = []
  await verifyStore(store, (difference) => found.push(difference))
  return found
}

const linesOf = async (store: Store): Promise<string[]> => {
  const lines: string[] = []
  await exportRecords(store, async (records) => void lines.push(...records.map((record) => JSON.stringify(record))))
  return lines
}

const ROUTES = { limit: 1, cursor: null, q: null, method: null }
const nowOf = async (store: Store) =>
  (await directoryOf(store, [], () => NOON_US).hostView(HOST, ROUTES))?.routes[0]?.now

onEachEngine('vantages', (engine) => {
  it('leave a route in one state while they see different things, and totals count all', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    for (const probe of looks(3)) await saveProbes(store, { probes: [probe] }, { announceUs: probe.atUs })
    expect(await nowOf(store)).toMatchObject({
      ...{ httpStatus: 402, sinceUs: NOON_US, checkedUs: NOON_US + 12 * HOUR_US },
      sights: [
        { vantage: 'ap-1', entries: 3, httpStatus: 403, shield: 'cloudflare', sinceUs: NOON_US + 7 * HOUR_US },
        { vantage: 'eu-1', entries: 3, httpStatus: 402, shield: null, sinceUs: NOON_US },
      ],
    })
    const counters = await store.read.selectFrom('host_counters').selectAll().executeTakeFirstOrThrow()
    expect(counters).toMatchObject({ correct_402: 4, failed: 2, now_402: 1, now_failed: 0 })
    const events = await store.read
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('kind', '<>', 'route_appeared')
      .execute()
    expect(events.map(({ kind, data }) => [kind, JSON.parse(data)])).toEqual([
      [
        'vantage_changed',
        {
          ...{ vantage: 'ap-1', from: '402-correct', to: 'blocked', http_status: 403, shield: 'cloudflare' },
          line: 'requested payment from eu-1; refused from ap-1 since 2026-11-14 19:00 (HTTP 403, Cloudflare)',
        },
      ],
    ])
    expect(await differences(store)).toEqual([])
  })

  it('say that it is down once it is down from everywhere, and that it is back from one', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()], probes: looks(2) }))
    const look = (vantage: string, httpStatus: number | null, hours: number) =>
      saveProbes(
        store,
        { probes: [aProbe({ vantage, httpStatus, atUs: NOON_US + hours * HOUR_US })] },
        { announceUs: NOON_US },
      )
    await look('eu-1', 500, 12)
    expect(await nowOf(store)).toMatchObject({ httpStatus: 500, sinceUs: NOON_US + 12 * HOUR_US })
    await look('ap-1', null, 13)
    await look('ap-1', 402, 14)
    expect(await nowOf(store)).toMatchObject({ httpStatus: 402, sinceUs: NOON_US + 14 * HOUR_US })
    const events = await store.read.selectFrom('events').select(['kind', 'data']).orderBy('at_us').execute()
    expect(events.map(({ kind, data }) => [kind, JSON.parse(data).vantage, JSON.parse(data).to])).toEqual([
      ['class_changed', 'eu-1', 'failed'],
      ['vantage_changed', 'ap-1', 'unreachable'],
      ['class_changed', 'ap-1', '402-correct'],
    ])
    expect(await differences(store)).toEqual([])
  })

  it('never say that a state began after it was last looked at', async () => {
    const statuses = [402, 200, 500, null]
    const entry = fc.record({
      vantage: fc.constantFrom('ap-1', 'eu-1', 'us-1'),
      httpStatus: fc.constantFrom(...statuses),
    })
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    let atUs = NOON_US - DAY_US
    const look = async (vantage: string, httpStatus: number | null) => {
      atUs += HOUR_US / 10
      await saveProbes(store, { probes: [aProbe({ vantage, httpStatus, atUs })] })
      return (await nowOf(store)) ?? { sinceUs: 0, checkedUs: 0 }
    }
    await look('ap-1', 500)
    await look('eu-1', 402)
    // Seen best from where nobody has looked since.
    expect(await look('eu-1', null)).toMatchObject({ httpStatus: 500, sinceUs: atUs, checkedUs: atUs })
    for (const { vantage, httpStatus } of fc.sample(entry, { numRuns: 40, seed: 1 })) {
      const { sinceUs, checkedUs } = await look(vantage, httpStatus)
      expect(sinceUs).toBeLessThanOrEqual(checkedUs)
      expect(checkedUs).toBeLessThanOrEqual(atUs)
    }
  })

  it('are the same in whatever order entries come, named or not, kept or folded, and travel with them', async () => {
    const store = await engine.open()
    const unnamed = aProbe({ atUs: NOON_US - 90 * DAY_US, httpStatus: 500 })
    const old = looks(2).map((probe) => ({ ...probe, atUs: probe.atUs - 90 * DAY_US + DAY_US }))
    await saveEvidence(store, evidence({ listings: [aListing()], probes: [...looks(2), ...old] }))
    await saveEvidence(store, evidence({ probes: [unnamed, ...looks(4)] }))
    expect(await differences(store)).toEqual([])
    const before = await nowOf(store)
    expect(before?.sights?.map(({ vantage, entries }) => [vantage, entries])).toEqual([
      ['', 1],
      ['ap-1', 6],
      ['eu-1', 6],
    ])
    await retain(store, NOON_US + DAY_US, 30)
    expect(await store.read.selectFrom('probes').select('at_us').execute()).toHaveLength(8)
    expect(await nowOf(store)).toEqual(before)
    expect(await differences(store)).toEqual([])
    const lines = await linesOf(store)
    expect(lines.filter((line) => line.includes('"vantage":"ap-1"'))).toHaveLength(5)
    const schema = recordSchema([])
    const other = await engine.open()
    await saveEvidence(other, evidenceOf(lines.map((line) => schema.parse(JSON.parse(line)))))
    expect(await linesOf(other)).toEqual(lines)
    expect(await nowOf(other)).toEqual(before)
    expect(await differences(other)).toEqual([])
  })

  it('of a route that nobody named before go on from what was seen then', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()], probes: [aProbe({ httpStatus: 500 })] }))
    const state = await store.read.selectFrom('route_state').select('sights').executeTakeFirstOrThrow()
    expect(state.sights).toBeNull()
    await saveProbes(store, { probes: [aProbe({ httpStatus: 500, vantage: 'eu-1', atUs: NOON_US + HOUR_US })] })
    expect(await nowOf(store)).toMatchObject({ httpStatus: 500, sinceUs: NOON_US })
    expect(await differences(store)).toEqual([])
    await store.write((writer) => writer.updateTable('route_state').set({ sights: '[]' }).execute().then())
    expect(await differences(store)).toMatchObject([{ what: 'GET https…/v1/weather x402 sights', stored: '[]' }])
  })

  it('choose among a host’s entries', async () => {
    const store = await engine.open()
    await saveEvidence(
      store,
      evidence({ listings: [aListing()], probes: [...looks(2), aProbe({ atUs: NOON_US - 1 })] }),
    )
    const hostId = (await findHostId(store.read, HOST)) ?? -1
    const from = { method: null, path: null, rail: null, vantage: 'ap-1' }
    const rows = await readProbes(store, hostId, from, null, 10)
    expect(rows.map(({ vantage, status, shield }) => [vantage, status, shield])).toEqual([
      ['ap-1', 403, 1],
      ['ap-1', 402, null],
    ])
    expect(await readProbes(store, hostId, { ...from, path: '/v1/weather' }, null, 1)).toHaveLength(1)
    expect(await countProbes(store, hostId, from)).toBe(2)
    const nobody = { ...from, vantage: 'nobody' }
    expect([await readProbes(store, hostId, nobody, null, 10), await countProbes(store, hostId, nobody)]).toEqual([
      [],
      0,
    ])
  })
})
