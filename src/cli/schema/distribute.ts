import { parseArgs } from 'node:util'
import { distribute } from '../../store/engines/citus.ts'
import { DISTRIBUTE } from '../catalogue/run.ts'
import { type Command, type CommandContext, expected } from '../command.ts'

const MOST_SHARDS = 1024

/** What is distributed already stays as it is, so that it may be called again. */
async function run(argv: string[], { openStore, out }: CommandContext): Promise<number> {
  const { values } = parseArgs({ args: argv, options: DISTRIBUTE.options })
  const shards = values.shards === undefined ? undefined : shardsIn(values.shards)
  const store = await openStore()
  try {
    const { placed, ...found } = await distribute(store, shards)
    for (const { table, place } of placed) out.write(`${table}: ${place}\n`)
    out.write(
      placed.length === 0
        ? `Distributed already: ${found.shards} shards on ${found.workers} workers.\n`
        : `Placed ${placed.length} tables: ${found.shards} shards on ${found.workers} workers. Restart what runs on it.\n`,
    )
    return 0
  } finally {
    await store.close()
  }
}

function shardsIn(text: string): number {
  const shards = Number(text)
  if (Number.isInteger(shards) && shards >= 1 && shards <= MOST_SHARDS) return shards
  throw expected(DISTRIBUTE, '--shards', `a whole number from 1 to ${MOST_SHARDS}, four for each worker`)
}

export const distributeCommand: Command = { run }
