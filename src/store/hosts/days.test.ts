import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import { DAY_US, dayOf } from '../../domain/time/day.ts'
import type { HostQuery } from '../../views/host/hosts-view.ts'
import { retain } from '../probes/retention.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'

const HOST = 'api.seller.example'
const FIRST = { limit: 50, cursor: null }
const ALL: HostQuery = { q: null, rail: null, network: null, maxPrice: null, result: null, sort: 'host', ...FIRST }
const today = dayOf(NOON_US)

onEachEngine('the days of a host', (engine) => {
  it('count the classes and the mean latency of what had an HTTP result, each entry once', async () => {
    const store = await engine.open()
    const probes = [
      aProbe({ latencyMs: 100 }),
      aProbe({ atUs: NOON_US + 1, httpStatus: 200, latencyMs: 201 }),
      aProbe({ atUs: NOON_US + 2, httpStatus: null, latencyMs: 10_000 }),
      aProbe({ atUs: NOON_US - 3 * DAY_US, httpStatus: 404, latencyMs: 7 }),
      aProbe({ atUs: NOON_US - 89 * DAY_US }),
      aProbe({ atUs: NOON_US - 90 * DAY_US }),
    ]
    await saveEvidence(store, evidence({ listings: [aListing()], probes: probes.slice(0, 2) }))
    await saveProbes(store, { probes })
    const view = await directoryOf(store, [], () => NOON_US).hostView(HOST, FIRST)
    expect(view?.today).toBe(today)
    expect(view?.days).toEqual([
      { day: today - 89, results: { answers: 0, '402-correct': 1, failed: 0, unreachable: 0 }, meanLatencyMs: 80 },
      { day: today - 3, results: { answers: 0, '402-correct': 0, failed: 1, unreachable: 0 }, meanLatencyMs: 7 },
      { day: today, results: { answers: 1, '402-correct': 1, failed: 0, unreachable: 1 }, meanLatencyMs: 151 },
    ])
  })

  it('stand on each row of the list of hosts, 30 of them', async () => {
    const store = await engine.open()
    const other = 'b.seller.example'
    const ago = (days: number, host = HOST) => aProbe({ host, atUs: NOON_US - days * DAY_US })
    const listings = [aListing(), aListing({ host: other })]
    await saveEvidence(store, evidence({ listings, probes: [ago(0), ago(29), ago(30), ago(30, other)] }))
    const { rows } = await directoryOf(store, [], () => NOON_US).home(ALL)
    expect(rows.map(({ host, days }) => [host, days.map(({ day }) => today - day)])).toEqual([
      [HOST, [29, 0]],
      [other, []],
    ])
  })

  it('go with the months that are folded, and verify agrees before and after', async () => {
    const store = await engine.open()
    const days = [0, 1, 59, 60, 61, 75]
    await saveEvidence(
      store,
      evidence({ listings: [aListing()], probes: days.map((ago) => aProbe({ atUs: NOON_US - ago * DAY_US })) }),
    )
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    await retain(store, NOON_US, 30)
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
    const view = await directoryOf(store, [], () => NOON_US).hostView(HOST, FIRST)
    // 30 days before 14 November is in October, whose entries stay whole.
    expect(view?.days.map(({ day }) => today - day)).toEqual([1, 0])
    expect(view?.counters.machineEvidenceRows).toBe(6)
  })

  it('are compared with the entries by verify', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()], probes: [aProbe()] }))
    await store.write(async (writer) => {
      await writer.updateTable('host_days').set({ failed: 4 }).execute()
      await writer
        .updateTable('host_counters')
        .set({ newest_402_us: NOON_US + 5 })
        .execute()
    })
    const found: string[] = []
    await verifyStore(store, ({ what, stored, counted }) => found.push(`${what}: ${stored}, counted ${counted}`))
    expect(found.sort()).toEqual([
      '2026-11-14 failed: 4, counted 0',
      `newest_402_us: ${NOON_US + 5}, counted ${NOON_US}`,
    ])
  })
})

onEachEngine('hosts that requested payment in the last day', (engine) => {
  it('are those with a 402-correct entry of the last 24 hours', async () => {
    const store = await engine.open()
    const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}.seller.example`)
    const [a, b, c] = hosts
    await saveEvidence(
      store,
      evidence({
        listings: hosts.map((host) => aListing({ host })),
        probes: [
          aProbe({ host: a ?? '', atUs: NOON_US - DAY_US }),
          aProbe({ host: b ?? '', atUs: NOON_US - DAY_US - 1 }),
          aProbe({ host: c ?? '', httpStatus: 200 }),
        ],
      }),
    )
    const directory = directoryOf(store, [], () => NOON_US)
    const names = async (query: HostQuery) => (await directory.hosts(query)).items.map(({ host }) => host)
    expect(await names({ ...ALL, requested: 'day' })).toEqual([a])
    expect(await names(ALL)).toEqual(hosts)
  })
})
