import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import {
  aChallenge,
  aClaim,
  aListing,
  anOffer,
  anOfferKey,
  aPost,
  aProbe,
  aReview,
  aStatement,
  evidence,
  NOON_US,
} from '../../../test/support/samples.ts'
import { growLog } from '../../../test/support/sequenced-log.ts'
import type { WebServer } from '../../http/server/server.ts'
import { startSample } from '../../http/testing/samples.ts'
import { sweepsOn } from '../../ingest/sweep/stored-sweeps.ts'
import type { SweepOutcome } from '../../ingest/sweep/sweep-store.ts'
import { hidePost, NO_LONGER_ON_CHAIN } from '../../store/posts/hide-post.ts'
import { savePost } from '../../store/posts/save-post.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import { hideReview } from '../../store/reviews/hide-review.ts'
import { hideStatement } from '../../store/sellers/hide-statement.ts'
import type { Store } from '../../store/store.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { canonical } from '../../wire/log/canonical.ts'
import { claimRecord } from '../../wire/sellers/records.ts'
import { EvidenceLog } from '../evidence-log.ts'
import { seedIn } from '../key.ts'
import { sequenceOversized } from '../testing/oversized.ts'
import { type Audited, audit } from './audit.ts'
import { BrokenLogError } from './tree-reader.ts'

const HOST = 'api.seller.example'
/** After the log began, whose clock is the store's. */
const SWEPT_US = Date.UTC(2100, 0) * 1000

const PARTIAL_SWEEP: SweepOutcome = {
  ...{
    source: 'bazaar',
    startedUs: SWEPT_US,
    endedUs: SWEPT_US + 1,
    status: 'partial',
    resumed: false,
    isWhole: false,
  },
  ...{ seen: 3, stored: 2, pages: 1, bytes: 100, refused: { bad_item: 1 }, answers: { ok: 1 }, announced: null },
  ...{ error: 'it went away', failedPage: null },
}

async function fill(store: Store): Promise<void> {
  for (let n = 0; n < 30; n += 1) {
    const host = n % 3 === 0 ? HOST : `h${n % 5}.seller.example`
    const path = `/v1/${n % 4}`
    await saveEvidence(store, evidence({ listings: [aListing({ host, path, price: 1000 + n })] }))
    const httpStatus = [402, 200, 500, null][n % 4] ?? null
    const challenge = httpStatus === 402 ? aChallenge(1000 + n) : null
    await saveProbes(store, {
      probes: [aProbe({ host, path, atUs: NOON_US + n, httpStatus, latencyMs: 40 + 7 * n, challenge })],
    })
  }
  const wallet = (n: number): string => `0x${String(n).repeat(40)}`
  const reviews = [1, 2, 3].map((n) =>
    aReview({ id: `review-${n}`, path: '/v1/0', wallet: wallet(n), text: `Review ${n}` }),
  )
  await saveEvidence(store, evidence({ reviews, posts: [aPost(), aPost({ id: 'post-2', text: 'Another' })] }))
  await hidePost(store, 'post-2', NOON_US, 'spam')
  await hidePost(store, 'post-1', NOON_US, NO_LONGER_ON_CHAIN)
  await savePost(store, aPost())
  await hideReview(store, 'review-3', NOON_US, 'spam')
  const statements = [1, 2, 3].map((n) => aStatement({ id: `statement-${n}`, text: `Statement ${n}` }))
  const offer = anOffer({ path: '/v1/0' })
  const dearer = { ...offer, offer: { ...offer.offer, terms: { ...offer.offer.terms, amount: '20000' } } }
  const claims = [aClaim(), aClaim({ wallet: wallet(2), walletLine: wallet(2), signature: '0x56' })]
  const signed = { signedOffers: [offer, { ...offer, lastUs: NOON_US + 9 }, dearer], offerKeys: [anOfferKey()] }
  await saveEvidence(store, evidence({ claims, statements, ...signed }))
  await hideStatement(store, 'statement-2', NOON_US, 'rude')
  await sweepsOn(store).finishSweep(PARTIAL_SWEEP, null)
  await growLog(store)
}

onEachEngine('an audit', (engine) => {
  const open = engine.filled(fill)
  const servers: WebServer[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.drain(100)
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  const world = async () => {
    const store = await open()
    const folder = temporaryFolder()
    folders.push(folder)
    // Opened anew for every request: an operator who forges remembers nothing.
    const evidenceLog = () =>
      EvidenceLog.open({ store, seed: seedIn(folder), origin: 'tollbook.example/log', folder: null })
    const web = await startSample({ directory: directoryOf(store), evidenceLog })
    servers.push(web)
    const run = (fetch: typeof globalThis.fetch = globalThis.fetch, into = 'audit'): Promise<Audited> =>
      audit({
        ...{ baseUrl: `http://127.0.0.1:${web.port}`, fetch, folder: join(folder, into) },
        sleep: async () => undefined,
      })
    return { store, run }
  }

  it('finds nothing where all that is shown follows from the log, and remembers the checkpoint', async () => {
    const { store, run } = await world()
    const first = await run()
    expect(first).toMatchObject({ differences: [], before: null, unread: 0 })
    expect(first.hosts).toBeGreaterThan(3)
    await saveProbes(store, { probes: [aProbe({ path: '/v1/0', atUs: NOON_US + 99 })] })
    await growLog(store)
    expect(await run()).toMatchObject({ differences: [], before: first.size, size: first.size + 1 })
  })

  it('takes claims whose whole history was logged before there was a bound', async () => {
    const { store, run } = await world()
    const flip = (n: number) => ({ sinceUs: NOON_US + 10 * n, seenUs: NOON_US + 10 * n, untilUs: NOON_US + 10 * n + 5 })
    const long = aClaim({ signature: '0x57', wallet: `0x${'7'.repeat(40)}`, walletLine: `0x${'7'.repeat(40)}` })
    const proofs = Array.from({ length: 300 }, (_, n) => ({ proof: 'file' as const, ...flip(n) }))
    await saveEvidence(store, evidence({ claims: [{ ...long, proofs }] }))
    await store.write(async (writer) => {
      const newest = writer.selectFrom('log_entries').selectAll().orderBy('entry_id', 'desc').limit(1)
      const { entry_id, body } = await newest.executeTakeFirstOrThrow()
      const entry = JSON.parse(body)
      expect(entry.records[0].proofs).toHaveLength(46)
      entry.records[0] = claimRecord({ ...long, proofs })
      await writer
        .updateTable('log_entries')
        .set({ body: canonical(entry) })
        .where('entry_id', '=', entry_id)
        .execute()
    })
    await growLog(store)
    expect((await run()).differences).toEqual([])
    await store.write((writer) =>
      sql`update claim_proofs set until_us = until_us + 1
      where since_us = ${NOON_US + 2990}`.execute(writer),
    )
    await store.write((writer) => sql`update host_counters set version = version + 1`.execute(writer))
    expect((await run()).differences.map(({ what }) => what)).toEqual([`claim of ${long.wallet}: proofs`])
  })

  it('says why the entries of a bundle cannot be read', async () => {
    const { store, run } = await world()
    await sequenceOversized(store, NOON_US + 20_000_000)
    await expect(run()).rejects.toThrow(/answers 404: Entry \d+ of this log has 65536 bytes and a bundle holds 65535/)
  })

  /** Changes the store behind its back, and what is cached of it. */
  const change = (store: Store, statement: string): Promise<void> =>
    store.write(async (writer) => {
      await sql.raw(statement).execute(writer)
      await sql`update host_counters set version = version + 1`.execute(writer)
    })

  it('names every row that was changed, dropped, back-dated or inserted behind the log, and every counter', async () => {
    const { store, run } = await world()
    expect((await run()).differences).toEqual([])
    const changes: readonly (readonly [statement: string, found: RegExp])[] = [
      [`update host_counters set answers = answers + 1 where answers > 0`, /summary line/],
      [`update reviews set rating = 1 where review_id = 'review-2'`, /review review-2: rating/],
      [`update reviews set submitted_us = submitted_us - 5`, /review review-1: submitted_at/],
      [`update reviews set level = 'Verified buyer' where review_id = 'review-3'`, /review review-3: level/],
      [`update reviews set text = 'Bought' where review_id = 'review-1'`, /review review-1: SHA-256/],
      [`update reviews set hidden_us = null`, /review review-3: hidden/],
      [`update posts set text = 'Bought' where post_id = 'post-1'`, /post post-1: SHA-256/],
      [`update posts set posted_us = posted_us - 5`, /post post-1: posted_at/],
      [`update listings set first_us = first_us - 1000000 where price = 1009`, /first observed/],
      [`update probes set error = 'timeout' where latency_ms = 103`, /: error/],
      [`delete from probes where latency_ms = 110`, /entry of 2026-11-14T12:00:00.000010Z/],
      [`update probes set at_us = at_us - 5 where latency_ms = 124`, /latency 124 ms/],
      [`update claims set claimed_us = claimed_us - 5`, /claim of 0x1{40}: claimed_at/],
      [`update claim_proofs set since_us = since_us - 5`, /claim of 0x1{40}: proofs/],
      [`update claims set signature = '0x00' where signature = '0x56'`, /claim of 0x2{40}$/m],
      [`update statements set text = 'Free' where statement_id = 'statement-1'`, /statement-1: SHA-256 of its text/],
      [`update statements set hidden_us = null`, /statement statement-2: hidden/],
      [`update statements set log_id = log_id + 1`, /statement statement-1: place in the log/],
      [`delete from statements where statement_id = 'statement-3'`, /statement statement-3$/m],
      [`update signed_offers set first_us = first_us - 5`, /10000 base units .*: first seen/],
      [`delete from signed_offers where body like '%20000%'`, /signed offer [0-9a-f]{64}$/m],
      [`update sweeps set stored = 3`, /^sources sweep of bazaar from 2100\S+: stored/m],
    ]
    for (const [statement] of changes) await change(store, statement)
    const { differences } = await run()
    const told = differences.map((one) => `${one.host} ${one.what}`).join('\n')
    expect(new Set(differences.map((one) => JSON.stringify(one))).size).toBe(differences.length)
    for (const [statement, found] of changes) expect(told, statement).toMatch(found)
  })

  it('names a host that cannot be read, and everything else of it and of all others', async () => {
    const { store, run } = await world()
    await change(store, `update reviews set rating = 1 where review_id = 'review-2'`)
    const failing =
      (...paths: readonly string[]): typeof globalThis.fetch =>
      async (input, init) =>
        paths.some((path) => new URL(String(input)).pathname.endsWith(path))
          ? new Response('{}', { status: 500, headers: { 'Retry-After': '0' } })
          : globalThis.fetch(input, init)
    const { differences } = await run(failing('/hosts/h1.seller.example', `/hosts/${HOST}/statements`, '/sources'))
    expect(differences.map((one) => `${one.host}: ${one.what}`).toSorted()).toEqual([
      expect.stringMatching(`^${HOST}: could not be read .*/statements.* answers 500`),
      `${HOST}: review review-2: rating`,
      expect.stringMatching(/^h1\.seller\.example: could not be read \(\S+ answers 500\)$/),
      'sources: could not be read (/v1/sources answers 500)',
    ])
    await expect(run(failing('/hosts/h1.seller.example', '/log/checkpoint'), 'b')).rejects.toThrow(/answers 500/)
  })

  /** A host that is written to whenever anything is asked for; the log is some entries behind. */
  const busily = (store: Store, onWritten: () => Promise<void> = async () => undefined): typeof globalThis.fetch => {
    let asked = 0
    return async (input, init) => {
      asked += 1
      const httpStatus = [402, 200, 500, null][asked % 4] ?? null
      const probe = { path: '/v1/late', atUs: NOON_US + 1_000_000 + asked, httpStatus, latencyMs: 1000 + asked }
      await saveProbes(store, { probes: [aProbe({ host: HOST, ...probe })] })
      await onWritten()
      if (asked % 5 === 0) await growLog(store)
      return globalThis.fetch(input, init)
    }
  }

  it('finds nothing where a host is written to all the time, and remembers the newest checkpoint that it read', async () => {
    const { store, run } = await world()
    const first = await run(busily(store))
    expect(first.differences).toEqual([])
    await growLog(store)
    const second = await run()
    expect(second).toMatchObject({ differences: [], before: first.size })
    expect(second.size).toBeGreaterThan(first.size)
  })

  it('names what was changed of a host that is written to all the time, old rows and new ones', async () => {
    const { store, run } = await world()
    const changes: readonly (readonly [statement: string, found: RegExp])[] = [
      [`update host_counters set answers = answers + 1 where answers > 0`, /^api\.seller\.example summary line/m],
      [`update reviews set rating = 1 where review_id = 'review-2'`, /review review-2: rating/],
      [`update posts set text = 'Bought' where post_id = 'post-1'`, /post post-1: SHA-256/],
      [`update listings set first_us = first_us - 1000000 where price = 1009`, /first observed/],
      [`update probes set error = 'timeout' where latency_ms = 103`, /: error/],
      [`delete from probes where latency_ms = 82`, /entry of 2026-11-14T12:00:00.000006Z/],
      [`update probes set at_us = at_us - 5 where latency_ms = 124`, /latency 124 ms/],
    ]
    for (const [statement] of changes) await change(store, statement)
    const told = (await run(busily(store))).differences.map((one) => `${one.host} ${one.what}`).join('\n')
    for (const [statement, found] of changes) expect(told, statement).toMatch(found)
    expect(told).not.toMatch(/v1\/late/)
  })

  it('names rows that are changed as soon as they are written, and those that never come into the log', async () => {
    const { store, run } = await world()
    const forged = busily(store, () => change(store, `update probes set error = 'forged' where latency_ms > 1000`))
    const { differences } = await run(forged)
    expect(differences.filter(({ what }) => /v1\/late.*: error$/.test(what)).length).toBeGreaterThan(3)
    const other = await world()
    const unlogged = busily(other.store, () =>
      change(other.store, `update probes set latency_ms = 5000 where latency_ms > 1000`),
    )
    const told = (await other.run(unlogged)).differences.map(({ what, logged }) => `${what} ${logged}`).join('\n')
    expect(told).toMatch(/v1\/late.*latency 5,?000 ms.* nothing$/m)
  })

  it('refuses a log whose tiles, entries or checkpoint were changed, and says where', async () => {
    const { store, run } = await world()
    await change(store, `update log_entries set body = replace(body, '"0.001000"', '"9.001000"')`)
    await expect(run(undefined, 'a')).rejects.toThrow(/^entry \d+: its hash/)
    await change(store, `update log_entries set body = replace(body, '"9.001000"', '"0.001000"')`)
    expect((await run(undefined, 'b')).differences).toEqual([])
    await change(store, `update log_state set root = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`)
    await expect(run(undefined, 'c')).rejects.toThrow(BrokenLogError)
  })

  it('refuses a log that is shorter than, or another than, the one that it saw', async () => {
    const { run } = await world()
    const { run: other } = await world()
    const seen = await run()
    expect(seen.differences).toEqual([])
    const replaced: typeof globalThis.fetch = async (input, init) => {
      const answer = await globalThis.fetch(input, init)
      if (!String(input).endsWith('/log/checkpoint')) return answer
      const note = await answer.text()
      return new Response(note.replace(/\n(\d+)\n/, '\n1\n'))
    }
    await expect(run(replaced)).rejects.toThrow(/signature of .* is wrong/)
    expect((await other()).differences).toEqual([])
  })
})
