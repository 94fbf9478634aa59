import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { counted } from '../domain/count.ts'
import { Problem } from '../domain/problem.ts'
import { backUp, formOf, restore } from '../store/transfer/backup.ts'
import { BACKUP, RESTORE } from './catalogue/run.ts'
import { type Command, onlyWord } from './command.ts'
import { refuseOwn } from './export.ts'
import { fileProblem } from './terminal/file-problem.ts'

/** `tollbook backup <file>`. */
export const backupCommand: Command = {
  run: async (argv, { openStore, out }) => {
    const file = fileIn(argv, BACKUP)
    if (existsSync(file)) {
      throw new Problem('backup', 400, 'Backup', `${file} is there already`, 'name another file, or move it away')
    }
    const store = await openStore('look')
    try {
      refuseOwn(store, file)
      const { form, hosts } = await backUp(store, file).catch((error: unknown) => {
        throw fileProblem(error, file)
      })
      out.write(
        `Backed up ${counted(hosts, 'host')} to ${file}, a ${form === 'records' ? 'file of records' : form}, and verified it.\n`,
      )
      return 0
    } finally {
      await store.close()
    }
  },
}

/** `tollbook restore <file>`. */
export const restoreCommand: Command = {
  run: async (argv, { openStore, out }) => {
    const file = fileIn(argv, RESTORE)
    // Before a store is made for it.
    await formOf(file)
    const { hosts, usedKeys } = await restore(await openStore('alone'), file)
    out.write(`Restored ${counted(hosts, 'host')} from ${file} and verified ${hosts === 1 ? 'it' : 'them'}.\n`)
    if (usedKeys > 0)
      out.write('It does not hold the evidence log, which begins anew: set a new LOG_KEY (docs/log.md).\n')
    return 0
  },
}

function fileIn(argv: string[], entry: typeof BACKUP | typeof RESTORE): string {
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: entry.options })
  return onlyWord(entry, positionals, entry === BACKUP ? 'the file to be written' : 'the file of a backup')
}
