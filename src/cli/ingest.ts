import { parseArgs } from 'node:util'
import { Problem } from '../domain/problem.ts'
import { sweepOnce } from '../ingest/ingester.ts'
import type { SourceConfig } from '../ingest/source.ts'
import type { SweepNotice } from '../ingest/sweep-run.ts'
import type { SweepOutcome } from '../ingest/sweep-store.ts'
import type { Command, CommandContext } from './command.ts'
import { progressOn, type Screen } from './progress.ts'
import { table } from './table.ts'

const usage = 'tollbook ingest [source…] sweep the listing sources once'

/** Without a terminal, a line at most this often. */
const LINE_EVERY_MS = 10_000

async function run(argv: string[], context: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true })
  const chosen = choose(context.sources, positionals)
  const store = await context.openStore()
  const ingesting = context.ingesting(store)
  const outcomes: { source: string; outcome: SweepOutcome | null }[] = []
  try {
    for (const config of chosen) {
      const told = teller(context.err)
      const outcome = await sweepOnce(ingesting, config, { onProgress: told.notice })
      told.end()
      outcomes.push({ source: config.name, outcome })
    }
  } finally {
    await store.close()
  }
  context.out.write(table(HEAD, outcomes.map(rowOf)))
  return outcomes.every(({ outcome }) => outcome?.status === 'complete') ? 0 : 1
}

function choose(sources: readonly SourceConfig[], names: readonly string[]): readonly SourceConfig[] {
  const unknown = names.filter((name) => !sources.some((source) => source.name === name))
  const known = sources.map(({ name }) => name).join(', ') || 'none'
  if (unknown.length > 0) {
    throw new Problem(
      'no-source',
      400,
      'No such source',
      `there is no source ${unknown.join(', ')}`,
      `SOURCES has ${known}`,
    )
  }
  return names.length === 0 ? sources : sources.filter(({ name }) => names.includes(name))
}

/** A bar on a terminal, a line now and then otherwise. */
function teller(err: Screen): { notice(notice: SweepNotice): void; end(): void } {
  const progress = progressOn(err)
  let told = performance.now()
  return {
    notice: (notice) => {
      progress.update(notice.source, notice.seen, notice.announced)
      if (err.isTTY || performance.now() - told < LINE_EVERY_MS) return
      told = performance.now()
      const of = notice.announced === null ? '' : ` of ${notice.announced}`
      err.write(`${notice.source}: ${notice.seen}${of} seen, ${notice.stored} stored\n`)
    },
    end: () => progress.end(),
  }
}

const HEAD = ['source', 'outcome', 'seen', 'stored', 'refused', 'announced', 'why']

function rowOf({ source, outcome }: { source: string; outcome: SweepOutcome | null }): (string | number)[] {
  if (outcome === null) return [source, 'busy', 0, 0, '', '', 'another program sweeps it now']
  const refused = Object.entries(outcome.refused).map(([reason, n]) => `${n} ${reason}`)
  const announced = outcome.announced === null ? 'no data' : String(outcome.announced)
  return [
    source,
    outcome.status,
    outcome.seen,
    outcome.stored,
    refused.join(', ') || '0',
    announced,
    outcome.error ?? '',
  ]
}

export const ingestCommand: Command = { usage, run }
