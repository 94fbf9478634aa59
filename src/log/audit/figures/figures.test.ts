import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../../../test/support/directory.ts'
import { onEachEngine, temporaryFolder } from '../../../../test/support/engines.ts'
import {
  aChallenge,
  aClaim,
  aListing,
  aProbe,
  aReview,
  aStatement,
  evidence,
  NOON_US,
} from '../../../../test/support/samples.ts'
import { growLog } from '../../../../test/support/sequenced-log.ts'
import type { WebServer } from '../../../http/server/server.ts'
import { startSample } from '../../../http/testing/samples.ts'
import { retain } from '../../../store/probes/retention.ts'
import { saveProbes } from '../../../store/probes/save-probes.ts'
import type { Store } from '../../../store/store.ts'
import { exportRecords } from '../../../store/transfer/export.ts'
import { importFile } from '../../../store/transfer/import.ts'
import { saveEvidence } from '../../../store/transfer/save-evidence.ts'
import { EvidenceLog } from '../../evidence-log.ts'
import { seedIn } from '../../key.ts'
import { audit } from '../audit.ts'

const wallet = (n: number): string => `0x${String(n).repeat(40)}`
const HOUR_US = 3_600_000_000
const outcome = (httpStatus: number | null) => ({ httpStatus, latencyMs: 80, bytes: null, contentSha256: null })

onEachEngine('an audit of figures', (engine) => {
  const servers: WebServer[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.drain(100)
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  /** Answers what is found of a store, as it is by then. */
  const audited = async (store: Store): Promise<() => Promise<string[]>> => {
    await growLog(store)
    const folder = temporaryFolder()
    folders.push(folder)
    const evidenceLog = () =>
      EvidenceLog.open({ store, seed: seedIn(folder), origin: 'tollbook.example/log', folder: null })
    const web = await startSample({ directory: directoryOf(store), evidenceLog })
    servers.push(web)
    return async () => {
      const { differences } = await audit({
        ...{ baseUrl: `http://127.0.0.1:${web.port}`, fetch: globalThis.fetch, folder: join(folder, 'audit') },
        sleep: async () => undefined,
      })
      return differences.map(({ what, shown, logged }) => `${what}: ${shown}, not ${logged}`)
    }
  }

  /** Changes the store behind its back, and what is cached of it. */
  const change = (store: Store, statement: string): Promise<void> =>
    store.write(async (writer) => {
      await sql.raw(statement).execute(writer)
      await sql`update host_counters set version = version + 1`.execute(writer)
    })

  it('names paid calls that no review reports, of a host and of a route', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    const calls = [200, 500, null, 204].map((status, n) =>
      aReview({
        id: `r${n}`,
        wallet: wallet(n + 1),
        outcome: outcome(status),
        level: n < 2 ? 'Verified buyer' : 'Signed',
      }),
    )
    const again = aReview({ id: 'again', wallet: wallet(3), outcome: outcome(200), submittedUs: NOON_US + HOUR_US })
    await saveEvidence(store, evidence({ reviews: [...calls, again] }))
    const found = await audited(store)
    expect(await found()).toEqual([])
    await change(store, `update host_counters set served_verified = 99`)
    expect(await found()).toEqual([expect.stringMatching(/^paid calls: .*100 · 99 served.*, not .*2 · 1 served/)])
    await change(store, `update route_state set not_served_signed = 7`)
    expect((await found()).join('\n')).toMatch(/^GET https\S+ x402: paid calls: .*7 not served/m)
  })

  it('names what is retired or has moved without a statement that says so', async () => {
    const store = await engine.open()
    const [host, other] = ['api.seller.example', 'new.seller.example']
    const at = (n: number) => ({ submittedUs: NOON_US + n * HOUR_US })
    const route = (path: string): string => `GET https://${host}${path} x402`
    const listings = ['/v1/a', '/v1/b', '/v1/c'].map((path) => aListing({ path }))
    await saveEvidence(store, evidence({ listings: [...listings, aListing({ host: other })] }))
    await saveEvidence(store, evidence({ claims: [aClaim(), aClaim({ host: other, signature: '0x77' })] }))
    const statements = [
      aStatement({ id: 's1', kind: 'retire', about: route('/v1/a'), ...at(1) }),
      aStatement({ id: 's2', kind: 'retire', about: route('/v1/b'), ...at(2) }),
      aStatement({ id: 's3', kind: 'probe', about: route('/v1/b'), ...at(3) }),
      aStatement({ id: 's4', kind: 'retire', about: host, ...at(4), hidden: { atUs: NOON_US, reason: 'forged' } }),
    ]
    await saveEvidence(store, evidence({ statements }))
    const found = await audited(store)
    expect(await found()).toEqual([])
    await change(store, `update retirements set moved_to = '${other}'`)
    expect(await found()).toEqual([`${route('/v1/a')}: moved to: "${other}", not null`])
    await change(store, `delete from retirements`)
    expect(await found()).toEqual([`${route('/v1/a')}: retired by the statement: null, not "s1"`])
    await saveEvidence(
      store,
      evidence({ statements: [aStatement({ id: 's5', kind: 'moved', about: other, ...at(5) })] }),
    )
    await growLog(store)
    expect(await found()).toEqual([])
    await change(store, `update retirements set statement_id = 's3', since_us = since_us - 5 where route_id < 0`)
    expect((await found()).join('\n')).toMatch(/^the host: retired by the statement: "s3", not "s5"$/m)
  })

  it('names what is true now of a route and of a host, where the entries say otherwise', async () => {
    const store = await engine.open()
    const looks = (path: string, statuses: readonly (number | null)[], more = {}) =>
      statuses.map((httpStatus, n) => aProbe({ path, httpStatus, atUs: NOON_US + n * HOUR_US, ...more }))
    await saveEvidence(store, evidence({ listings: ['/v1/a', '/v1/b', '/v1/c'].map((path) => aListing({ path })) }))
    await saveProbes(store, { probes: looks('/v1/a', [402, 402, 500, 500]) })
    await saveProbes(store, { probes: looks('/v1/b', [200, null, 402]) })
    await saveProbes(store, { probes: looks('/v1/c', [402, 402], { vantage: 'eu-1' }) })
    await saveProbes(store, { probes: looks('/v1/c', [402, 403, 429], { vantage: 'ap-1', latencyMs: 90 }) })
    // Seen late, of before all that is known.
    await saveProbes(store, { probes: [aProbe({ path: '/v1/b', httpStatus: 402, atUs: NOON_US - HOUR_US })] })
    const found = await audited(store)
    expect(await found()).toEqual([])
    await change(store, `update route_state set now_status = 500 where now_status = 402 and sights is null`)
    expect((await found()).join('\n')).toMatch(/^GET \S+\/v1\/b x402: now: result: "failed", not "402-correct"$/m)
    await change(store, `update route_state set now_status = 402 where now_status = 500`)
    expect((await found()).join('\n')).toMatch(/^GET \S+\/v1\/a x402: now: result: "402-correct", not "failed"$/m)
    await change(store, `update route_state set now_since_us = now_since_us - 5, last_402_us = null`)
    const told = (await found()).join('\n')
    expect(told).toMatch(/^GET \S+\/v1\/b x402: now: since/m)
    expect(told).toMatch(/^GET \S+\/v1\/c x402: now: last_402: null, not "2026/m)
    await change(store, `update route_state set sights = replace(sights, '429', '402')`)
    expect((await found()).join('\n')).toMatch(/^GET \S+\/v1\/c x402: now: vantages/m)
  })

  it('names a price, a network and a probe status that the rows and the newest challenge do not give', async () => {
    const store = await engine.open()
    const route = (path: string): string => `GET https://api.seller.example${path} x402`
    const listings = [
      aListing({ path: '/v1/a' }),
      aListing({ path: '/v1/a', source: 'other', price: 9_000 }),
      aListing({ path: '/v1/b', network: 'base-sepolia', price: 1 }),
      aListing({ path: '/v1/b', network: 'eip155:8453', price: 30_000 }),
      aListing({ path: '/v1/c', price: null, network: null }),
      aListing({ path: '/v1/f', price: 70_000 }),
      ...[5_000, 6_000].map((price, n) => aListing({ path: '/v1/d', price, lastUs: NOON_US + n + 1 })),
      ...Array.from({ length: 30 }, (_, n) => aListing({ path: '/v1/e', source: `s${n}`, price: 1000 + n })),
    ]
    await saveEvidence(store, evidence({ listings }))
    const asks = (path: string, price: number, n: number) =>
      aProbe({ path, atUs: NOON_US + n * HOUR_US, challenge: aChallenge(price) })
    const silent = Array.from({ length: 8 }, (_, n) =>
      aProbe({ path: '/v1/b', httpStatus: 500, atUs: NOON_US + (n + 9) * HOUR_US }),
    )
    const probes = [asks('/v1/a', 10_000, 2), asks('/v1/a', 77, 1), asks('/v1/b', 40_000, 3), asks('/v1/d', 5_000, 1)]
    const offers = [70_000, 80_000].flatMap((price) => aChallenge(price).offers)
    const twofold = aProbe({ path: '/v1/f', challenge: { offers, warnings: ['versions_differ'] } })
    await saveProbes(store, { probes: [...probes, ...silent, twofold] })
    const found = await audited(store)
    expect(await found()).toEqual([])
    const changes = [
      [`update route_state set price = 1 where price = 10000`, `${route('/v1/a')}: price: "0.000001", not "0.010000"`],
      [
        `update route_state set price = 1 where price in (5000, 6000)`,
        `${route('/v1/d')}: price: 0.000001 on base, not another in`,
      ],
      [
        `update route_state set network = 'solana' where price = 30000`,
        `${route('/v1/b')}: network: "solana", not "eip`,
      ],
      [
        `update route_state set probe_status = 'verified'`,
        `${route('/v1/b')}: probe status: "verified", not "differs"`,
      ],
      [
        `update route_state set price_low = 8 where price_low = 9000`,
        `${route('/v1/a')}: sources say: {"highest":"0.01`,
      ],
    ] as const
    for (const [statement] of changes) await change(store, statement)
    const told = (await found()).join('\n')
    for (const [statement, difference] of changes) expect(told, statement).toContain(difference)
  })

  it('names days that the entries do not give', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    const days = [0, 0, 1, 1, 1, 4].map((day, n) =>
      aProbe({
        atUs: NOON_US - day * 24 * HOUR_US - n,
        httpStatus: [402, 500, null, 200][n % 4] ?? null,
        latencyMs: 10 * n,
      }),
    )
    await saveProbes(store, { probes: days })
    const found = await audited(store)
    expect(await found()).toEqual([])
    await change(store, `update host_days set correct_402 = 50 where correct_402 = 1`)
    expect((await found()).join('\n')).toMatch(/^day 2026-11-14: 402_correct: 50, not 1$/m)
    await change(store, `delete from host_days where failed > 0`)
    expect((await found()).join('\n')).toMatch(/^day 2026-11-14: failed: 0, not 1$/m)
  })

  it('finds nothing where older entries were folded, nor where an import brought them so', async () => {
    const store = await engine.open()
    const paths = ['/v1/a', '/v1/b', '/v1/c', '/v1/d']
    await saveEvidence(store, evidence({ listings: paths.map((path) => aListing({ path })) }))
    const probes = Array.from({ length: 80 }, (_, n) => {
      const httpStatus = [402, 402, 500, null, 200][Math.floor(n / 4) % 5] ?? null
      const challenge = httpStatus === 402 ? aChallenge(10_000 + (n % 2)) : null
      const vantage = n % 4 === 2 ? ['eu-1', 'ap-1', null][n % 3] : null
      const atUs = NOON_US - (80 - n) * 60 * HOUR_US
      return aProbe({ path: paths[n % 3] ?? '', atUs, httpStatus, challenge, vantage: vantage ?? null, latencyMs: n })
    })
    const old = aProbe({ path: '/v1/d', atUs: NOON_US - 200 * 24 * HOUR_US, challenge: aChallenge(10_000) })
    for (const probe of [old, ...probes]) await saveProbes(store, { probes: [probe] })
    await growLog(store)
    expect((await retain(store, NOON_US, 100)).entries).toBeGreaterThan(0)
    expect((await retain(store, NOON_US, 30)).entries).toBeGreaterThan(10)
    await saveProbes(store, { probes: [aProbe({ path: '/v1/a', atUs: NOON_US + HOUR_US, httpStatus: 500 })] })
    expect(await (await audited(store))()).toEqual([])
    const lines: string[] = []
    await exportRecords(store, async (records) => void lines.push(...records.map((record) => JSON.stringify(record))))
    const folder = temporaryFolder()
    folders.push(folder)
    writeFileSync(join(folder, 'export.ndjson'), lines.join('\n'))
    const other = await engine.open()
    await importFile(other, join(folder, 'export.ndjson'), [])
    expect(await (await audited(other))()).toEqual([])
  })
})
