import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { archiveOld } from '../../src/archive/archive-old.ts'
import { folderPlace } from '../../src/archive/folder-place.ts'
import { Sequencer } from '../../src/log/sequencer.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { count, megabytes, milliseconds, perSecond, timed } from '../rigs/measure.ts'
import type { Aim, BenchContext, BenchRow } from '../row.ts'
import { bytesOf, type Part } from '../world/bytes.ts'
import { fillWorld } from '../world/fill.ts'
import { type Readings, readWorld } from '../world/readings.ts'
import { ROUTES_PER_HOST, type WorldShape } from '../world/world.ts'

/** `BENCH_HOSTS=100000` means a million routes and ten million entries; a tenth of it is what it is held against. */
const WORLD: WorldShape = {
  seed: Number(process.env.BENCH_SEED ?? 1),
  hosts: Number(process.env.BENCH_HOSTS ?? 2_000),
  entriesPerRoute: Number(process.env.BENCH_ENTRIES ?? 10),
}
const TENTH: WorldShape = { ...WORLD, hosts: Math.ceil(WORLD.hosts / 10) }
/** Of an entry with its counters and its place in the log. */
const BYTES_AIMED = 60

interface Read {
  readonly readings: Readings
  readonly bytes: ReadonlyMap<Part, number>
  /** Of one entry in the files that a month is archived to. */
  readonly archivedBytes: number
}

/** How everything grows with the world: each row beside that of a tenth of it, read in the same way one after the other. */
export async function rows({ engines, folder, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) {
    const tenth = await readOf(engine, TENTH, folder(), note)
    const whole = await readOf(engine, WORLD, folder(), note)
    const where = `${count(WORLD.hosts)} hosts, ${engine.name}`
    for (const [name, { unit, value }] of whole.readings) {
      const before = tenth.readings.get(name)?.value ?? Number.NaN
      const aim: Aim | null = name.endsWith('p50') && !name.startsWith('first') ? { below: 1.5 } : null
      found.push({ what: `${name}, ${where}`, ...beside(value, before, unit === 'ms' ? milliseconds : perSecond), aim })
    }
    for (const [part, bytes] of whole.bytes) {
      const before = (tenth.bytes.get(part) ?? 0) / unitsOf(part, TENTH)
      found.push({ what: `${part}, ${where}`, ...beside(bytes / unitsOf(part, WORLD), before, inBytes), aim: null })
    }
    const each = (part: Part): number => (whole.bytes.get(part) ?? 0) / unitsOf(part, WORLD)
    const lasting = each('entry: counters') + each('entry: log')
    found.push(
      allIn(`entry all in, in the store, ${where}`, lasting + each('entry: itself')),
      allIn(`entry all in, archived, ${where}`, lasting + whole.archivedBytes),
    )
  }
  return found
}

const allIn = (what: string, bytes: number): BenchRow => ({
  ...{ what, measured: inBytes(bytes), limit: `${BYTES_AIMED} bytes` },
  ...{ ratio: bytes / BYTES_AIMED, aim: { below: 1 } },
})

const inBytes = (bytes: number): string => `${bytes.toFixed(1)} bytes`

const beside = (value: number, before: number, text: (value: number) => string) => ({
  measured: text(value),
  limit: Number.isNaN(before) ? 'a tenth is too small' : `${text(before)} of a tenth`,
  ratio: value / before,
})

/** How many there are of what a part's bytes are for. */
function unitsOf(part: Part, { hosts, entriesPerRoute }: WorldShape): number {
  if (part.startsWith('host')) return hosts
  return hosts * ROUTES_PER_HOST * (part.startsWith('entry') ? entriesPerRoute : 1)
}

async function readOf(
  engine: BenchEngine,
  shape: WorldShape,
  archive: string,
  note: (text: string) => void,
): Promise<Read> {
  const options = await engine.fresh()
  const store = await openStore(options)
  try {
    const sequencer = sequencerOf(store)
    // Postgres numbers its entries when all are there.
    const meanwhile = store.dialect.engine === 'sqlite' ? () => logged(sequencer) : undefined
    const filled = await timed(() => fillWorld(store, shape, note, meanwhile))
    note(`${shape.hosts} hosts into ${engine.name} in ${Math.round(filled.ms / 1000)} s`)
    const settled = await timed(() => settle(store, sequencer))
    note(`logged and settled in ${Math.round(settled.ms / 1000)} s`)
    const readings = await readWorld(store, shape, note)
    const bytes = await bytesOf(store)
    for (const [part, taken] of bytes)
      note(`${part}: ${megabytes(taken)}, ${inBytes(taken / unitsOf(part, shape))} each`)
    const archivedBytes = await archived(store, archive, note)
    return { readings, bytes, archivedBytes }
  } finally {
    await store.close()
    // Large: the next one needs the room.
    rmSync(options.dataDir, { recursive: true, force: true })
  }
}

/** Writes all of its months, as once a day to `ARCHIVE_TO`. */
async function archived(store: Store, folder: string, note: (text: string) => void): Promise<number> {
  const nowUs = Date.now() * 1000
  const { ms, value: files } = await timed(() => archiveOld(store, folderPlace(folder), { beforeUs: nowUs, nowUs }))
  const sum = (of: 'bytes' | 'records'): number => files.reduce((all, file) => all + file[of], 0)
  note(
    `${sum('records')} entries archived in ${Math.round(ms / 1000)} s, ${inBytes(sum('bytes') / sum('records'))} each`,
  )
  return sum('bytes') / sum('records')
}

function sequencerOf(store: Store): Sequencer {
  return new Sequencer({
    ...{ store, by: 'bench', nowUs: () => Date.now() * 1000, mayGrow: async () => true },
    onTrouble: (error) => {
      throw error
    },
  })
}

async function logged(sequencer: Sequencer): Promise<void> {
  for (let appended = 1; appended > 0; ) {
    appended = await sequencer.step()
    while (await sequencer.pack());
  }
}

/** What a server that has run for a while has done by itself. */
async function settle(store: Store, sequencer: Sequencer): Promise<void> {
  await logged(sequencer)
  if (store.dialect.engine === 'sqlite') return
  // A log that is packed as it grows reuses the room of what it packed; this one was filled whole before.
  await sql`vacuum full log_entries`.execute(store.read)
  await sql`vacuum analyze`.execute(store.read)
}
