import { once } from 'node:events'
import { statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { exportRecords } from '../store/transfer/export.ts'
import { EXPORT } from './catalogue/evidence.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'
import { fileProblem, unwritable } from './terminal/file-problem.ts'
import { progressOn } from './terminal/progress.ts'
import { put } from './terminal/put.ts'

async function run(argv: string[], { openStore, err }: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: EXPORT.options })
  if (positionals.length > 1) throw usageProblem(EXPORT)
  const file = positionals[0] === '-' ? undefined : positionals[0]
  if (file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw unwritable(file, 'EISDIR')
  const store = await openStore('look')
  const progress = progressOn(err)
  // A file appears under its name only when it is whole.
  const partial = file === undefined ? undefined : `${file}.partial`
  let failed: Error | undefined
  let written = 0
  try {
    const out: Writable = partial === undefined ? process.stdout : (await open(partial, 'w')).createWriteStream()
    out.on('error', (error) => {
      failed = error
    })
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
    if (partial === undefined || file === undefined) throw error
    await rm(partial, { force: true }).catch(() => undefined)
    throw fileProblem(error, file)
  } finally {
    progress.end()
    await store.close()
  }
}

export const exportCommand: Command = { run }
