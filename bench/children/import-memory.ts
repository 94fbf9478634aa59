import { openStore } from '../../src/store/open.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { answering } from '../rigs/child.ts'
import { ownPeak } from '../rigs/peak-memory.ts'

/** The most bytes that the process ever held. */
answering<{ file: string; dataDir: string }, number>(async ({ file, dataDir }) => {
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await importFile(store, file, [])
  await store.close()
  return ownPeak()
})
