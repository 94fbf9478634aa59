import { parseArgs } from 'node:util'
import { Problem } from '../domain/problem.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { sweepOnce } from '../ingest/ingester.ts'
import type { SourceConfig } from '../ingest/source.ts'
import type { SweepNotice } from '../ingest/sweep/sweep-run.ts'
import type { SweepOutcome } from '../ingest/sweep/sweep-store.ts'
import { wrongClock } from '../probe/clock-watch.ts'
import { readRefusals } from '../store/facts/refusals.ts'
import type { SourceHolder } from '../store/facts/sweeps.ts'
import { INGEST } from './catalogue/evidence.ts'
import type { Command, CommandContext } from './command.ts'
import { plainLine } from './terminal/plain.ts'
import { longProgressOn } from './terminal/progress.ts'
import { table } from './terminal/table.ts'

interface Swept {
  readonly source: string
  /** `null`: it is swept by another program. */
  readonly outcome: SweepOutcome | null
  readonly holder: SourceHolder | null
  /** What was refused of a file, each with the number of its line. */
  readonly lines: readonly string[]
}

async function run(argv: string[], context: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: INGEST.options })
  const chosen = choose(context.sources, positionals)
  const store = await context.openStore()
  const ingesting = await context.ingesting(store)
  const outcomes: Swept[] = []
  try {
    if ((await ingesting.isClockRight?.()) === false) throw wrongClock('nothing was swept')
    for (const config of chosen) {
      const progress = longProgressOn(context.err)
      let holder: SourceHolder | null = null
      const onBusy = (by: SourceHolder): void => {
        holder = by
      }
      const onProgress = (notice: SweepNotice): void =>
        progress.update([notice.source, notice.seen, notice.announced], () => lineOf(notice))
      const outcome = await sweepOnce(ingesting, config, { onProgress, onBusy })
      progress.end()
      const refused = config.kind === 'file' ? await readRefusals(store.read, config.name) : new Map<string, string[]>()
      const lines = [...refused].flatMap(([reason, items]) =>
        items.map((item) => `${config.name}: ${item} (${reason})`),
      )
      outcomes.push({ source: config.name, outcome, holder, lines: lines.toSorted(byLine) })
    }
  } finally {
    await store.close()
  }
  context.out.write(table(HEAD, outcomes.map(rowOf)))
  for (const line of outcomes.flatMap(({ lines }) => lines)) context.out.write(`${plainLine(line)}\n`)
  return outcomes.every(({ outcome }) => outcome?.status === 'complete') ? 0 : 1
}

/** `line 9` before `line 10`. */
const byLine = (a: string, b: string): number => lineNumber(a) - lineNumber(b)
const lineNumber = (text: string): number => Number(/: line (\d+):/.exec(text)?.[1] ?? 0)

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

function lineOf({ source, seen, stored, announced }: SweepNotice): string {
  const of = announced === null ? '' : ` of ${announced}`
  return `${source}: ${seen}${of} seen, ${stored} stored`
}

const HEAD = ['source', 'outcome', 'seen', 'stored', 'refused', 'announced', 'why']

function whoHas(holder: SourceHolder | null): string {
  if (holder === null) return 'another program sweeps it now'
  return `${holder.by} sweeps it until ${formatTimestamp(holder.untilUs)}, longer while it runs; try again then`
}

function rowOf({ source, outcome, holder }: Swept): (string | number)[] {
  if (outcome === null) return [source, 'busy', 0, 0, '', '', whoHas(holder)]
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

export const ingestCommand: Command = { run }
