import { z } from 'zod'
import { EvidenceLog } from '../../src/log/evidence-log.ts'
import { Sequencer, storedTiles } from '../../src/log/sequencer.ts'
import { pendingEntries, readTreeHead } from '../../src/log/stored/tree.ts'
import { appendLeaves, hashLeaf, toBase64, utf8 } from '../../src/log/tlog/index.ts'
import { openStore } from '../../src/store/open.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { aProbe, NOON_US } from '../../test/support/samples.ts'

/**
 * Saves entries, makes the log grow and publishes its checkpoints, until it is killed. Says `saved <time>` when an entry
 * is acknowledged and `published <size> <root>` when a checkpoint is. A hasty one publishes before it commits.
 */
const orders = z.object({
  ...{ dataDir: z.string(), databaseUrl: z.string().optional(), by: z.string(), from: z.int(), isHasty: z.boolean() },
})

const { dataDir, databaseUrl, by, from, isHasty } = orders.parse(JSON.parse(process.argv[2] ?? ''))
const HOSTS = 7
const HASTY_MS = 50
const SEED = new Uint8Array(32).fill(7)
const store = await openStore({ dataDir, databaseUrl, onTrouble: () => undefined })
const log = await EvidenceLog.open({ store, seed: SEED, origin: 'drill.example/log', folder: dataDir })
if (log === null) throw new Error('there is a key')
// The lease of one that was killed is not waited for: that two are at it is what the drill wants.
let clockUs = Date.now() * 1000
const sequencer = new Sequencer({
  ...{ store, by, mayGrow: () => log.mayGrow(), onTrouble: () => undefined },
  nowUs: () => {
    clockUs += 20_000_000
    return clockUs
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** What the next step would commit, told before it does. */
async function publishHastily(of: Store): Promise<void> {
  const before = await readTreeHead(of.read)
  const entries = await pendingEntries(of.read, before.settledId, 1000)
  if (entries.length === 0) return
  const grown = await appendLeaves(
    storedTiles(of),
    before.size,
    entries.map(({ body }) => hashLeaf(utf8(body))),
  )
  say(`published ${grown.size} ${toBase64(grown.root)}`)
}

async function publish(): Promise<void> {
  const checkpoint = await log?.checkpoint()
  const [, size, root] = checkpoint?.note.split('\n') ?? []
  if (size !== undefined) say(`published ${size} ${root}`)
}

async function sequence(): Promise<void> {
  for (;;) {
    try {
      if (isHasty) {
        await publishHastily(store)
        // Long enough to be killed in between before many rounds are over.
        await new Promise((resolve) => setTimeout(resolve, HASTY_MS))
      }
      await sequencer.step()
      if (!isHasty) await publish()
    } catch {
      // Postgres was killed: it comes back.
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function write(): Promise<void> {
  for (let n = from; ; n += 1) {
    try {
      await saveProbes(store, { probes: [aProbe({ host: `h${n % HOSTS}.seller.example`, atUs: NOON_US + n })] })
      say(`saved ${n}`)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

say('ready')
await Promise.all([sequence(), write()])
