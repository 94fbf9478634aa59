import { realpathSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { counted } from '../domain/count.ts'
import { Problem } from '../domain/problem.ts'
import { KEY_FILE, PUBLISHED_FILE } from '../log/key.ts'
import { HOLD_FILE } from '../store/engines/sqlite-file.ts'
import type { Store } from '../store/store.ts'
import { fileAside } from '../store/transfer/aside.ts'
import { exportRecords } from '../store/transfer/export.ts'
import { EXPORT } from './catalogue/evidence.ts'
import { type Command, type CommandContext, tooMany } from './command.ts'
import { fileProblem, foundAt, unwritable } from './terminal/file-problem.ts'
import { progressOn } from './terminal/progress.ts'
import { end, put } from './terminal/put.ts'

async function run(argv: string[], { openStore, err }: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: EXPORT.options })
  const [, more] = positionals
  if (more !== undefined) throw tooMany(EXPORT, more)
  const file = positionals[0] === '-' ? undefined : positionals[0]
  const found = file === undefined ? undefined : foundAt(file)
  if (file !== undefined && found?.isDirectory()) throw unwritable(file, 'EISDIR')
  const store = await openStore('look')
  const progress = progressOn(err)
  // Where a link leads to; a pipe or a device is written to and stays what it is.
  const target = file !== undefined && found?.isFile() ? realpathSync(file) : file
  const isThrough = found !== undefined && !found.isFile()
  // A file appears under its name only when it is whole, of several that are written at once, too.
  const partial = target === undefined || isThrough ? undefined : fileAside(`${target}.${process.pid}.partial`)
  let failed: Error | undefined
  let written = 0
  try {
    if (file !== undefined) refuseOwn(store, file)
    if (target !== undefined) refuseOwn(store, target)
    const to = partial?.path ?? target
    const out: Writable = to === undefined ? process.stdout : (await open(to, 'w')).createWriteStream()
    out.on('error', (error) => {
      failed = error
    })
    const total = await exportRecords(store, async (records) => {
      if (failed) throw failed
      await put(out, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
      written += records.length
      progress.update('exporting', written, null)
    })
    if (target !== undefined) {
      await end(out)
      if (partial !== undefined) await rename(partial.path, target)
      progress.end()
      err.write(`Exported ${counted(total, 'record')} to ${file}.\n`)
    }
    return 0
  } catch (error) {
    if (file === undefined) throw error
    throw fileProblem(error, file)
  } finally {
    progress.end()
    partial?.remove()
    await store.close()
  }
}

/** An older file is replaced, what the directory lives on never. */
export function refuseOwn(store: Store, file: string): void {
  if (store.file === null || !foundAt(dirname(file))) return
  const name = basename(store.file)
  const own = [name, `${name}-wal`, `${name}-shm`, HOLD_FILE, KEY_FILE, PUBLISHED_FILE]
  const isBeside = realpathSync(dirname(file)) === realpathSync(dirname(store.file))
  if (!isBeside || !own.includes(basename(file))) return
  throw new Problem('file', 400, 'File', `${file} belongs to the store`, 'name another file')
}

export const exportCommand: Command = { run }
