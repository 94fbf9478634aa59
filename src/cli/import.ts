import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { archivedFilesIn, unnamedFilesIn } from '../archive/read-archive.ts'
import { counted } from '../domain/count.ts'
import { Problem } from '../domain/problem.ts'
import { storeProblem } from '../domain/store-trouble.ts'
import { temporaryAside } from '../store/transfer/aside.ts'
import { evidenceRows } from '../store/transfer/evidence-rows.ts'
import { importFile } from '../store/transfer/import.ts'
import type { Saved } from '../store/transfer/save-evidence.ts'
import { IMPORT } from './catalogue/evidence.ts'
import { type Command, type CommandContext, onlyWord } from './command.ts'
import { foundAt } from './terminal/file-problem.ts'
import { progressOn } from './terminal/progress.ts'

async function run(argv: string[], { allowHosts, openStore, out, err }: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: IMPORT.options })
  const file = onlyWord(IMPORT, positionals, 'an NDJSON file of records, a folder of an archive, or -')
  const stream = streamAt(file)
  const spool = stream === undefined ? undefined : temporaryAside('tollbook-import-')
  try {
    // The file is read twice, so what can be read once is kept first.
    const { paths, unnamed } =
      spool === undefined ? await filesAt(file) : { paths: [join(spool.path, 'records.ndjson')], unnamed: [] }
    for (const path of paths) if (stream !== undefined) await pipeline(stream, createWriteStream(path))
    const store = await openStore()
    const progress = progressOn(err)
    try {
      const before = await evidenceRows(store.read)
      let records = 0
      const saved = { leftOut: 0, changed: 0 }
      for (const path of paths) {
        let ofFile: Saved = { leftOut: 0, changed: 0 }
        records += await importFile(store, path, allowHosts, ({ phase, records, total, ...rest }) => {
          ofFile = rest
          progress.update(phase, records, total)
        }).catch((error: unknown) => {
          throw storeProblem(error, 'part of it may be stored: make room, and import it again')
        })
        saved.leftOut += ofFile.leftOut
        saved.changed += ofFile.changed
      }
      progress.end()
      out.write(`${importedLine(records, (await evidenceRows(store.read)) - before, saved)}\n`)
      for (const name of unnamed) out.write(`${name} is not in the manifest and was not imported.\n`)
      return 0
    } finally {
      progress.end()
      await store.close()
    }
  } finally {
    spool?.remove()
  }
}

/** A store that others write to, or that announces what is new, grows by more than the file. */
export function importedLine(
  records: number,
  grown: number,
  { leftOut = 0, changed = 0 }: Partial<Saved> = {},
): string {
  const added = Math.min(Math.max(grown, 0), records - leftOut)
  const moved = Math.min(changed, records - leftOut - added)
  const known = records - leftOut - added - moved
  const there = known === 0 ? '' : `; ${known} of ${records} were there already`
  const old = leftOut === 0 ? '' : `; ${leftOut} of ${records} are older than what is kept here and were left out`
  const anew = moved === 0 ? '' : `; ${moved} of ${records} changed rows that were there`
  return `Imported ${counted(added, 'record')}${anew}${there}${old}.`
}

/** Standard input, or a pipe such as the shell makes of `<(zcat x)`. */
function streamAt(file: string): Readable | undefined {
  if (file === '-') return process.stdin
  const found = foundAt(file)
  return found?.isFIFO() || found?.isCharacterDevice() ? createReadStream(file) : undefined
}

interface Files {
  readonly paths: readonly string[]
  /** Names of files beside them that nobody vouches for. */
  readonly unnamed: readonly string[]
}

/** One file, or those of an archive. */
async function filesAt(file: string): Promise<Files> {
  const found = foundAt(file)
  if (found?.isFile()) return { paths: [file], unnamed: [] }
  if (found?.isDirectory()) return { paths: await archivedFilesIn(file), unnamed: await unnamedFilesIn(file) }
  throw new Problem('no-file', 400, 'No such file', `there is no file ${file}`, 'name an NDJSON file of records')
}

export const importCommand: Command = { run }
