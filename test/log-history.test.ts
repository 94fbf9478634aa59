import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { audit } from '../src/log/audit/audit.ts'
import { readPlaces } from '../src/log/stored/bundles.ts'
import { countHistory } from '../src/log/stored/history.ts'
import { readTreeHead } from '../src/log/stored/tree.ts'
import { openStore, type StoreOptions } from '../src/store/open.ts'
import type { Store } from '../src/store/store.ts'
import { saveEvidence } from '../src/store/transfer/save-evidence.ts'
import { canonical } from '../src/wire/log/canonical.ts'
import { parseEntry } from '../src/wire/log/entry.ts'
import { onEachEngine, temporaryFolder } from './support/engines.ts'
import { serving } from './support/program.ts'
import { aClaim, aListing, anOffer, aPost, aProbe, aReview, aStatement, evidence, NOON_US } from './support/samples.ts'

const HOSTS = 3
const PROBES = 2500
const KILLS = 4

async function withStore<T>(options: StoreOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(options)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** A store from before there was a log. */
const fill = (options: StoreOptions): Promise<void> =>
  withStore(options, async (store) => {
    for (let n = 0; n < HOSTS; n += 1) {
      const host = `h${n}.seller.example`
      const probes = Array.from({ length: PROBES }, (_, at) => aProbe({ host, atUs: NOON_US + at, latencyMs: at % 90 }))
      const said = { claims: [aClaim({ host })], statements: [aStatement({ host, id: `statement-${n}` })] }
      const writings = { reviews: [aReview({ host, id: `review-${n}` })], posts: [aPost({ host, id: `post-${n}` })] }
      const rows = { listings: [aListing({ host })], probes, signedOffers: [anOffer({ host })], ...said, ...writings }
      await saveEvidence(store, evidence(rows), { logging: 'off' })
    }
    await store.write(async (writer) => {
      await sql`insert into log_history (host_id) select host_id from hosts`.execute(writer)
      // A claim whose turn came meanwhile would be looked at again, and what is found logged as well.
      await writer.updateTable('claims').set({ due_us: Number.MAX_SAFE_INTEGER }).execute()
    })
  })

onEachEngine('history that is logged', (engine) => {
  it('is whole, each record once, however often the program is killed meanwhile', async () => {
    const options = await engine.empty()
    const { dataDir, databaseUrl } = options
    const folder = temporaryFolder()
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_KEY: Buffer.alloc(32, 3).toString('base64') }
    try {
      await fill(options)
      // A route whose turn came meanwhile would be probed, and that logged as well.
      const start = () => serving({ ...env, BASE_URL: 'http://tollbook.example' }, '--roles', 'web')
      for (let kill = 0; kill < KILLS; kill += 1) {
        const killed = await start()
        await wait(60 * kill)
        await killed.stop('SIGKILL')
      }
      const program = await start()
      while ((await withStore(options, ({ read }) => countHistory(read))) > 0) await wait(100)
      const { differences, size } = await audit({ baseUrl: program.address, fetch, folder: join(folder, 'audit') })
      await program.stop()
      expect({ differences, isEmpty: size === 0 }).toEqual({ differences: [], isEmpty: false })
      const records = await withStore(options, async ({ read }) => {
        const entries = await readPlaces(read, 0, (await readTreeHead(read)).size)
        return entries.flatMap((text) => parseEntry(text)?.records ?? []).map((record) => canonical(record))
      })
      expect(new Set(records).size).toBe(records.length)
      expect(records).toHaveLength(HOSTS * (PROBES + 6))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 180_000)
})
