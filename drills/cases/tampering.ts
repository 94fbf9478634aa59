import { join } from 'node:path'
import { sql } from 'kysely'
import { audit } from '../../src/log/audit/audit.ts'
import { UnreadableError } from '../../src/log/audit/reading.ts'
import { BrokenLogError } from '../../src/log/audit/tree-reader.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { aChallenge, aListing, aPost, aProbe, aReview, evidence, NOON_US } from '../../test/support/samples.ts'
import { createDrill, info, kept, none } from '../drill.ts'
import { startServe } from '../rigs/serve.ts'
import { tamper } from '../rigs/tamper.ts'

const HOSTS = 4
const PROBES = 12

/** What an operator could change in the store itself, and how it is put back. */
const IN_THE_STORE: readonly (readonly [change: string, back: string])[] = [
  ['update host_counters set answers = answers + 1', 'update host_counters set answers = answers - 1'],
  ['update reviews set rating = rating - 1', 'update reviews set rating = rating + 1'],
  [`update reviews set text = text || '!'`, 'update reviews set text = substr(text, 1, length(text) - 1)'],
  ['update listings set first_us = first_us - 1', 'update listings set first_us = first_us + 1'],
  ['update probes set at_us = at_us - 7', 'update probes set at_us = at_us + 7'],
  ['update probes set status = 200 where status = 402', 'update probes set status = 402 where status = 200'],
  [`update posts set text = text || '!'`, 'update posts set text = substr(text, 1, length(text) - 1)'],
  [
    `update log_entries set body = replace(body, '0.010000', '0.020000')`,
    `update log_entries set body = replace(body, '0.020000', '0.010000')`,
  ],
]

export const tampering = createDrill({
  about: 'what is stored and served of the evidence is changed at random: an audit must say so every time',
  mostS: 3600,
  full: { changes: 2000 },
  small: { changes: 12 },
  run: async ({ folder, random, sizes, progress }) => {
    const dataDir = folder()
    const store = await openStore({ dataDir, databaseUrl: undefined })
    await fill(store)
    const served = await startServe({ DATA_DIR: dataDir })
    const place = folder()
    const look = async (fetch: typeof globalThis.fetch, into: string): Promise<string> => {
      const options = { baseUrl: served.address, fetch, folder: join(place, into), sleep: async () => undefined }
      try {
        const { differences, size } = await audit(options)
        const [first] = differences
        return first === undefined ? (size === 0 ? 'empty' : '') : `${first.host}: ${first.what}`
      } catch (error) {
        if (error instanceof BrokenLogError || error instanceof UnreadableError) return error.message
        throw error
      }
    }
    try {
      const before = await settled(() => look(globalThis.fetch, 'before'))
      const unseen: string[] = []
      let made = 0
      for (let n = 0; made < sizes.changes && n < 3 * sizes.changes; n += 1) {
        progress('changes', made, sizes.changes)
        const inStore =
          random.between(0, 4) === 0 ? IN_THE_STORE[random.between(0, IN_THE_STORE.length - 1)] : undefined
        if (inStore !== undefined) await behind(store, inStore[0])
        const changed = tamper(random)
        const found = await look(inStore === undefined ? changed.fetch : globalThis.fetch, `change ${n}`)
        if (inStore !== undefined) await behind(store, inStore[1])
        const what = inStore?.[0] ?? changed.what
        if (what === '') continue
        made += 1
        if (found === '') unseen.push(what)
      }
      const after = await settled(() => look(globalThis.fetch, 'after'))
      return [
        kept('found before anything is changed', before || 'nothing', 'nothing', before === ''),
        info('changes of store, tiles, entries, checkpoints and pages', made),
        none('changes that no audit found', unseen),
        kept('found when everything is put back', after || 'nothing', 'nothing', after === ''),
      ]
    } finally {
      await served.stop()
      await store.close()
    }
  },
})

async function fill(store: Store): Promise<void> {
  for (let n = 0; n < HOSTS; n += 1) {
    const host = `h${n}.seller.example`
    const probes = Array.from({ length: PROBES }, (_, at) =>
      aProbe({
        host,
        atUs: NOON_US + at * 1000,
        latencyMs: 40 + at,
        challenge: at % 3 === 0 ? aChallenge(10_000) : null,
      }),
    )
    const reviews = [aReview({ host, id: `review-${n}`, url: `https://${host}/v1/weather`, text: `Review ${n}` })]
    const posts = [aPost({ host, id: `post-${n}` })]
    await saveEvidence(store, evidence({ listings: [aListing({ host })], probes, reviews, posts }))
  }
}

/** The log has everything within ten seconds. */
async function settled(look: () => Promise<string>): Promise<string> {
  let found = await look()
  for (let tries = 0; found !== '' && tries < 20; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    found = await look()
  }
  return found
}

/** Changes the store behind its back, and what is cached of it. */
const behind = (store: Store, statement: string): Promise<void> =>
  store.write(async (writer) => {
    await sql.raw(statement).execute(writer)
    await sql`update host_counters set version = version + 1`.execute(writer)
  })
