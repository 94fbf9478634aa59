import type { Command, CommandContext } from '../command.ts'

/** Opening a store migrates it; this does nothing else. */
async function run(_argv: string[], { openStore, out }: CommandContext): Promise<number> {
  const store = await openStore()
  const row = await store.read.selectFrom('schema_version').select('version').executeTakeFirst()
  await store.close()
  out.write(`Schema version ${row?.version ?? 0} (${store.dialect.name}).\n`)
  return 0
}

export const migrateCommand: Command = { run }
