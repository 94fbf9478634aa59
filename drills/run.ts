import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressOn } from '../src/cli/terminal/progress.ts'
import { table } from '../src/cli/terminal/table.ts'
import { seeded } from '../test/crash/seeded.ts'
import { DRILLS } from './catalogue.ts'
import type { Figure } from './drill.ts'
import { type Asked, askedFor, usage } from './words.ts'

/** `npm run drill -- <name>`: 0 when every promise was kept, 1 when one was broken, 2 when it was not asked for rightly. */
async function main(words: readonly string[]): Promise<number> {
  const asked = askedFor(words, DRILLS)
  if (asked === undefined) {
    process.stderr.write(usage(DRILLS))
    return 2
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const seed = asked.seed ?? randomInt(2 ** 32)
  const sizes = Object.entries(asked.sizes).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`drill ${asked.name}, ${[`seed ${seed}`, ...sizes].join(', ')}\n\n`)
  const began = performance.now()
  const figures = await figuresOf(asked, seed)
  const rows = figures.map(({ what, seen, promise, isKept }) => [
    ...[what, seen, promise ?? '', promise === null ? '' : isKept ? 'yes' : 'NO'],
  ])
  process.stdout.write(table(['what', 'seen', 'promise', 'kept'], rows))
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(`\n${seconds} s, ${availableParallelism()} cores, Node ${process.versions.node}\n`)
  return figures.every(({ isKept }) => isKept) ? 0 : 1
}

async function figuresOf({ drill, sizes, isSmall }: Asked, seed: number): Promise<readonly Figure[]> {
  const root = mkdtempSync(join(tmpdir(), 'tollbook-drill-'))
  // Also when interrupted; whatever was started ends with this process.
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  const timer = setTimeout(() => {
    process.stderr.write(`given up after ${drill.mostS} s\n`)
    process.exit(1)
  }, drill.mostS * 1000)
  const progress = progressOn(process.stderr)
  try {
    return await drill.run({
      random: seeded(seed),
      sizes,
      judgesTimes: !isSmall,
      folder: () => mkdtempSync(join(root, 'part-')),
      progress: (label, done, total) => progress.update(label, done, total),
    })
  } finally {
    progress.end()
    clearTimeout(timer)
  }
}

process.exitCode = await main(process.argv.slice(2))
