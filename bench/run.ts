import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rows as append } from './append.ts'
import { rows as cachedView } from './cached-view.ts'
import { bothEngines } from './engines.ts'
import { rows as feed } from './feed.ts'
import { rows as hostView } from './host-view.ts'
import { rows as importing } from './import.ts'
import { rows as memory } from './memory.ts'
import { rows as probe } from './probe.ts'
import { rows as readsWhileDown } from './reads-while-down.ts'
import { rows as review } from './review.ts'
import type { BenchContext, BenchGroup, BenchRow } from './row.ts'
import { rows as search } from './search.ts'
import { rows as sweep } from './sweep.ts'
import { tableOf } from './table.ts'

/** In the order of the table. `npm run bench -- view` runs the groups whose name contains a given word. */
const GROUPS: Readonly<Record<string, BenchGroup>> = {
  'cached-view': cachedView,
  'host-view': hostView,
  'reads-while-down': readsWhileDown,
  search,
  feed,
  import: importing,
  append,
  sweep,
  probe,
  review,
  memory,
}

async function main(words: readonly string[]): Promise<number> {
  const chosen = Object.entries(GROUPS).filter(
    ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  if (chosen.length === 0) {
    process.stderr.write(`No group is named like that; there are: ${Object.keys(GROUPS).join(', ')}.\n`)
    return 1
  }
  const root = mkdtempSync(join(tmpdir(), 'tollbook-bench-'))
  // Also when interrupted: files are large here.
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const folder = (): string => mkdtempSync(join(root, 'part-'))
  const { engines, stop } = bothEngines(folder)
  const note = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
  }
  const context: BenchContext = { engines, folder, note }
  const rows: BenchRow[] = []
  try {
    for (const [name, group] of chosen) {
      note(name)
      rows.push(...(await group({ ...context, note: (text) => note(`  ${text}`) })))
    }
  } finally {
    await stop()
  }
  process.stdout.write(`${tableOf(rows)}\n\n${availableParallelism()} cores, Node ${process.versions.node}\n`)
  return 0
}

process.exitCode = await main(process.argv.slice(2))
