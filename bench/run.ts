import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rows as append } from './cases/append.ts'
import { rows as cachedView } from './cases/cached-view.ts'
import { rows as citus } from './cases/citus.ts'
import { rows as feed } from './cases/feed.ts'
import { rows as guard } from './cases/guard.ts'
import { rows as hostView } from './cases/host-view.ts'
import { rows as importing } from './cases/import.ts'
import { rows as log } from './cases/log.ts'
import { rows as logTree } from './cases/log-tree.ts'
import { rows as memory } from './cases/memory.ts'
import { rows as probe } from './cases/probe.ts'
import { rows as readsWhileDown } from './cases/reads-while-down.ts'
import { rows as review } from './cases/review.ts'
import { rows as search } from './cases/search.ts'
import { rows as serving } from './cases/serving.ts'
import { rows as sweep } from './cases/sweep.ts'
import { rows as uncachedPages } from './cases/uncached-pages.ts'
import { rows as workers } from './cases/workers.ts'
import { rows as world } from './cases/world.ts'
import { bothEngines } from './rigs/engines.ts'
import type { BenchCase, BenchContext, BenchRow } from './row.ts'
import { tableOf } from './table.ts'

/** In the order of the table. `npm run bench -- sweep view` runs the cases whose name contains one of the words. */
const CASES: Readonly<Record<string, BenchCase>> = {
  'cached-view': cachedView,
  'uncached-pages': uncachedPages,
  'host-view': hostView,
  'reads-while-down': readsWhileDown,
  workers,
  serving,
  search,
  feed,
  import: importing,
  append,
  sweep,
  probe,
  citus,
  review,
  guard,
  log,
  'log-tree': logTree,
  memory,
  world,
}

async function main(words: readonly string[]): Promise<number> {
  const chosen = Object.entries(CASES).filter(
    ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  if (chosen.length === 0) {
    process.stderr.write(`No case is named like that; there are: ${Object.keys(CASES).join(', ')}.\n`)
    return 1
  }
  const root = mkdtempSync(join(tmpdir(), 'tollbook-bench-'))
  // Also when interrupted: files are large here.
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const folder = (): string => mkdtempSync(join(root, 'part-'))
  const both = bothEngines(folder)
  // A large world takes long to fill: `BENCH_ENGINE=postgres` or `sqlite` leaves the other out.
  const asked = process.env.BENCH_ENGINE?.toLowerCase()
  const engines = both.engines.filter(({ name }) => asked === undefined || name.toLowerCase() === asked)
  if (engines.length === 0) {
    process.stderr.write(
      `BENCH_ENGINE is ${asked}; there are: ${both.engines.map(({ name }) => name.toLowerCase()).join(', ')}.\n`,
    )
    return 1
  }
  const note = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
  }
  const context: BenchContext = { engines, folder, note }
  const rows: BenchRow[] = []
  try {
    for (const [name, rowsOf] of chosen) {
      note(name)
      rows.push(...(await rowsOf({ ...context, note: (text) => note(`  ${text}`) })))
    }
  } finally {
    await both.stop()
  }
  process.stdout.write(`${tableOf(rows)}\n\n${availableParallelism()} cores, Node ${process.versions.node}\n`)
  return 0
}

process.exitCode = await main(process.argv.slice(2))
