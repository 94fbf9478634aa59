import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseTimestamp } from '../../src/domain/time/timestamp.ts'
import { Sequencer, storedTiles } from '../../src/log/sequencer.ts'
import { readPlaces } from '../../src/log/stored/bundles.ts'
import { readTreeHead } from '../../src/log/stored/tree.ts'
import { appendLeaves, hashLeaf, toBase64, treeHash, utf8 } from '../../src/log/tlog/index.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { parseEntry } from '../../src/wire/log/entry.ts'
import { type ThrowAwayPostgres, throwAwayPostgres } from '../../test/support/postgres.ts'
import { NOON_US } from '../../test/support/samples.ts'
import { createDrill, type DrillContext, type Figure, info, kept, none } from '../drill.ts'
import { Heard, startWriter } from '../rigs/log-writers.ts'

const AT_ONCE = 2
const NUMBERS_A_WRITER = 1_000_000
/** A hasty one must be caught within so many rounds, or the method sees nothing. */
const MOST_CONTROL_ROUNDS = 40

/** `rounds`, and for how many milliseconds writers work at most before they are killed. */
type Context = DrillContext<'rounds' | 'work'>

interface Place {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly postgres: ThrowAwayPostgres | null
}

export const log = createDrill({
  about: 'two programs that save, sequence and publish the evidence log, killed at random, and Postgres under them',
  mostS: 7200,
  full: { rounds: 300, work: 1200 },
  small: { rounds: 2, work: 300 },
  run: async (context) => [...(await onSqlite(context)), ...(await onPostgres(context))],
})

const onSqlite = (context: Context): Promise<Figure[]> => {
  const at = (name: string): Place => ({
    ...{ dataDir: join(context.folder(), name), databaseUrl: undefined },
    postgres: null,
  })
  return killing(context, 'SQLite', at('sound'), at('hasty'))
}

async function onPostgres(context: Context): Promise<Figure[]> {
  const servers = [await throwAwayPostgres(), await throwAwayPostgres()] as const
  try {
    const [sound, hasty] = servers.map((postgres): Place => {
      const dataDir = context.folder()
      return { dataDir, databaseUrl: postgres.url, postgres }
    })
    if (sound === undefined || hasty === undefined) throw new Error('two servers')
    return await killing(context, 'Postgres', sound, hasty)
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function killing(context: Context, engine: string, place: Place, control: Place): Promise<Figure[]> {
  const { rounds } = context.sizes
  const heard = new Heard()
  const faults: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    context.progress(`${engine} kills`, round, rounds)
    await oneRound(place, heard, round, context, false)
    faults.push(...(await faultsOf(place, heard.news())))
  }
  faults.push(...(await faultsOf(place, heard.published)))
  const end = await examine(place, heard)
  const caughtAfter = await controlled(context, engine, control)
  return [
    info(
      `${engine}: rounds, entries acknowledged, checkpoints published`,
      `${rounds}, ${heard.saved.size}, ${heard.published.size}`,
    ),
    none(`${engine}: sizes with two roots, or published and not committed`, faults),
    none(`${engine}: acknowledged and not in the log`, end.lost),
    none(`${engine}: in the log more than once`, end.twice),
    kept(
      `${engine}: the root is that of RFC 6962 over the entries`,
      end.isRoot ? 'it is' : 'it is not',
      'it is',
      end.isRoot,
    ),
    kept(
      `${engine}: control: signs before it commits`,
      caughtAfter === null ? 'not caught' : `caught in round ${caughtAfter}`,
      'caught',
      caughtAfter !== null,
    ),
  ]
}

async function oneRound(
  place: Place,
  heard: Heard,
  round: number,
  { random, sizes: { work } }: Context,
  isHasty: boolean,
): Promise<void> {
  const { dataDir, databaseUrl, postgres } = place
  mkdirSync(dataDir, { recursive: true })
  const writers = Array.from({ length: AT_ONCE }, (_, n) => {
    const from = (round * AT_ONCE + n) * NUMBERS_A_WRITER
    return startWriter({ dataDir, databaseUrl, by: `writer ${n}`, from, isHasty }, heard)
  })
  await Promise.all(writers.map(({ ready }) => ready))
  await wait(random.between(20, work))
  // One of them alone at times: the other goes on with what it left.
  if (random.between(0, 2) === 0) {
    await writers[random.between(0, AT_ONCE - 1)]?.kill()
    await wait(random.between(20, work))
  }
  if (postgres !== null && random.between(0, 2) === 0) {
    await postgres.kill()
    await postgres.start()
    await wait(random.between(20, work))
  }
  await Promise.all(writers.map((writer) => writer.kill()))
}

async function withStore<T>({ dataDir, databaseUrl }: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ dataDir, databaseUrl })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** What was published must be committed, and be the only tree of its size. */
const faultsOf = (place: Place, published: ReadonlyMap<number, Set<string>>): Promise<string[]> =>
  withStore(place, async (store) => {
    const { size: committed } = await readTreeHead(store.read)
    const faults: string[] = []
    for (const [size, roots] of published) {
      if (size > committed) faults.push(`${size} was published, ${committed} are committed`)
      else if (size > 0 && (roots.size > 1 || !roots.has(toBase64(await treeHash(storedTiles(store), size)))))
        faults.push(`${size} has another root than was published`)
    }
    return faults
  })

const examine = (place: Place, heard: Heard) =>
  withStore(place, async (store) => {
    const options = { store, by: 'the end', nowUs: () => 2 ** 52, mayGrow: async () => true }
    const sequencer = new Sequencer({ ...options, onTrouble: () => undefined })
    while ((await sequencer.step()) > 0);
    const { size, root } = await readTreeHead(store.read)
    const entries = await readPlaces(store.read, 0, size)
    const times = new Map<number, number>()
    for (const record of entries.flatMap((text) => parseEntry(text)?.records ?? [])) {
      const n = (parseTimestamp(String(record.date)) ?? 0) - NOON_US
      times.set(n, (times.get(n) ?? 0) + 1)
    }
    const none = () => new Uint8Array(0)
    const grown = await appendLeaves(
      none,
      0,
      entries.map((entry) => hashLeaf(utf8(entry))),
    )
    return {
      lost: [...heard.saved].filter((n) => !times.has(n)).map(String),
      twice: [...times].filter(([, n]) => n > 1).map(([time]) => String(time)),
      isRoot: toBase64(grown.root) === root,
    }
  })

async function controlled(context: Context, engine: string, place: Place): Promise<number | null> {
  const heard = new Heard()
  for (let round = 0; round < MOST_CONTROL_ROUNDS; round += 1) {
    context.progress(`${engine} control`, round, MOST_CONTROL_ROUNDS)
    await oneRound(place, heard, round, context, true)
    if ((await faultsOf(place, heard.published)).length > 0) return round + 1
  }
  return null
}
