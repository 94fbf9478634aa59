import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { exportRecords } from '../store/transfer/export.ts'
import { EXPORT } from './catalogue/evidence.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'
import { progressOn } from './terminal/progress.ts'
import { put } from './terminal/put.ts'

async function run(argv: string[], { openStore, err }: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: EXPORT.options })
  if (positionals.length > 1) throw usageProblem(EXPORT)
  const [file] = positionals
  const store = await openStore()
  const progress = progressOn(err)
  // A file appears under its name only when it is whole.
  const partial = file === undefined ? undefined : `${file}.partial`
  const out: Writable = partial === undefined ? process.stdout : createWriteStream(partial)
  let failed: Error | undefined
  out.on('error', (error) => {
    failed = error
  })
  let written = 0
  try {
    const total = await exportRecords(store, async (records) => {
      if (failed) throw failed
      await put(out, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
      written += records.length
      progress.update('exporting', written, null)
    })
    if (partial !== undefined && file !== undefined) {
      out.end()
      await once(out, 'finish')
      await rename(partial, file)
      progress.end()
      err.write(`Exported ${total} records to ${file}.\n`)
    }
    return 0
  } catch (error) {
    if (partial !== undefined) await rm(partial, { force: true })
    throw error
  } finally {
    progress.end()
    await store.close()
  }
}

export const exportCommand: Command = { run }
