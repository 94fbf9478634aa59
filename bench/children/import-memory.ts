import { readFileSync } from 'node:fs'
import { openStore } from '../../src/store/open.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { answering } from '../rigs/child.ts'

/** In bytes. */
export interface ImportMemory {
  /** All that the process ever held, the database file's mapped pages too: those the system takes back when it needs them. */
  readonly peakBytes: number
  /** The most without mapped files, seen after each batch; 0 where the system does not tell. */
  readonly ownBytes: number
}

answering<{ file: string; dataDir: string }, ImportMemory>(async ({ file, dataDir }) => {
  const store = await openStore({ dataDir, databaseUrl: undefined })
  let ownBytes = 0
  await importFile(store, file, [], () => {
    ownBytes = Math.max(ownBytes, ownNow())
  })
  await store.close()
  return { peakBytes: process.resourceUsage().maxRSS * 1024, ownBytes }
})

function ownNow(): number {
  if (process.platform !== 'linux') return 0
  const [, kilobytes = '0'] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
