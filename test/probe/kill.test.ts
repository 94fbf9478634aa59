import { type ChildProcess, spawn } from 'node:child_process'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createProber } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { onEachEngine } from '../support/engines.ts'
import { joined } from '../support/program.ts'
import { aListing } from '../support/samples.ts'
import type { ChildOptions } from './child.ts'
import { always402, connectTo, startSellers } from './sellers.ts'

/** On each engine; `PROBE_KILLS` makes it more. */
const KILLS = Number(process.env.PROBE_KILLS ?? 25)
const AT_ONCE = 5
const HOSTS = 200
const ROUTES = 10
const MOST_REQUESTS = 150
/** A prober that finds too little to do is killed then. */
const MOST_MS = 15_000
/** Each generation's clock is ahead of the last one's by more than a lease. */
const GENERATION_MS = 120_000

const started = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => {
      started.delete(child)
      resolve()
    })
  })

/** Twenty-five processes start and die on each engine; a busy machine takes its time. */
const TIMEOUT_MS = 240_000

onEachEngine('probers that are killed', (engine) => {
  it(
    'probe every route, keep no entry twice and lose no count',
    async () => {
      const where = await engine.empty()
      const store = await openStore(where)
      const listings = Array.from({ length: HOSTS * ROUTES }, (_, n) =>
        aListing({ host: `h${n % HOSTS}.example`, path: `/${Math.floor(n / HOSTS)}`, scheme: 'http' }),
      )
      await saveListings(store, { listings })
      const quotas = new Map<string, { left: number; kill: () => void }>()
      const sellers = await startSellers((request, response) => {
        const quota = quotas.get(request.headers['user-agent'] ?? '')
        if (quota && --quota.left <= 0) quota.kill()
        always402(request, response)
      })

      const start = (name: string, aheadMs: number, requests: number): Promise<void> => {
        const options: ChildOptions = {
          dataDir: where.dataDir,
          databaseUrl: where.databaseUrl,
          connectTo: connectTo(sellers.port),
          name,
          aheadMs,
        }
        const child = spawn(process.execPath, [joined('probe-child'), JSON.stringify(options)], {
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        started.add(child)
        const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS)
        quotas.set(name, { left: requests, kill: () => child.kill('SIGKILL') })
        return ended(child).finally(() => clearTimeout(timer))
      }
      const saved = async (): Promise<number> =>
        (await sql<{ n: number }>`select count(*) as n from probes`.execute(store.read)).rows[0]?.n ?? 0
      /** Dies as soon as something more is saved, by whomever: right after a commit. */
      const startUntilSaved = async (name: string, aheadMs: number): Promise<void> => {
        const before = await saved()
        const dead = start(name, aheadMs, Number.POSITIVE_INFINITY)
        let isAlive = true
        void dead.then(() => {
          isAlive = false
        })
        while (isAlive && (await saved()) === before) await new Promise((resolve) => setTimeout(resolve, 10))
        quotas.get(name)?.kill()
        await dead
      }
      let kills = 0
      for (let generation = 0; kills < KILLS; generation++) {
        const names = Array.from({ length: Math.min(AT_ONCE, KILLS - kills) }, (_, n) => `prober-${generation}-${n}`)
        // From the first request on, so that some die before, some during and some after a save.
        await Promise.all(
          names.map((name, n) => {
            const requests = 1 + ((kills++ * 97) % MOST_REQUESTS)
            const aheadMs = generation * GENERATION_MS
            return n === 0 ? startUntilSaved(name, aheadMs) : start(name, aheadMs, requests)
          }),
        )
      }
      const killedAt = sellers.seen.length

      const aheadUs = KILLS * GENERATION_MS * 1000
      const nowUs = (): number => Date.now() * 1000 + aheadUs
      const log = { info: () => undefined, warn: console.error, error: console.error }
      const last = createProber(
        { store, egress: sellers.egress, nowUs, log, name: 'last' },
        { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] }, concurrency: 30 },
      )
      const never = new AbortController().signal
      const before = await store.read.selectFrom('probes').select('at_us').execute()
      await last.enrolAll(never)
      await last.round({ cutoffUs: nowUs(), hostIds: null }, never)

      const perRoute = await sql<{ n: number }>`select count(*) as n from probes group by host_id, route_id`.execute(
        store.read,
      )
      expect(perRoute.rows).toHaveLength(HOSTS * ROUTES)
      expect(perRoute.rows.filter(({ n }) => n !== 1)).toEqual([])
      // The kills hit probers at work: some of what they asked was saved, some was lost with them and asked again.
      const requests = sellers.seen.filter(({ path }) => path !== '/robots.txt').length
      expect(requests).toBeGreaterThan(HOSTS * ROUTES)
      expect(before.length).toBeGreaterThan(0)
      expect(before.length).toBeLessThan(killedAt)
      const differences: unknown[] = []
      await verifyStore(store, (difference) => differences.push(difference))
      expect(differences).toEqual([])
      await sellers.close()
      await store.close()
    },
    TIMEOUT_MS,
  )
})
