import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../src/domain/problem.ts'
import { loadConfig } from '../src/main/config.ts'
import { serve } from '../src/main/serve.ts'
import { nextSignal } from '../src/main/signals.ts'
import { importFile } from '../src/store/import.ts'
import { openStore } from '../src/store/open.ts'
import { sampleRecords } from './records.ts'
import { SELLERS } from './sellers.ts'

/** `npm start`: a directory full of sample sellers on this machine alone. `--fresh` starts over. */
async function start(): Promise<void> {
  const config = loadConfig({
    DATA_DIR: './data/sandbox',
    ALLOW_HOSTS: '*.seller.test',
    SOURCES: 'none',
    LOG_LEVEL: 'warn',
    ...process.env,
  })
  const told = nextSignal()
  const say = (line: string): boolean => process.stdout.write(`${line}\n`)
  say('Tollbook sandbox: invented sellers, no network, nothing is bought or sold.')
  if (process.argv.includes('--fresh')) rmSync(config.dataDir, { recursive: true, force: true })
  const records = await fill(config)
  say(`  ${SELLERS.length} sample sellers, ${records} records of evidence in ${config.dataDir}`)
  const running = await serve(config, ['web'])
  const first = `${running.address}/hosts/weather.seller.test`
  say(`\nTollbook listens on ${running.address}\n`)
  say('Try:')
  say(`  open ${running.address} in a browser`)
  say(`  curl -s ${running.address}/v1/hosts/weather.seller.test`)
  say(`  curl -s -H 'Accept: text/markdown' ${first}`)
  say('\nCtrl-C stops it. README.md says how to run your own.')
  await told
  await running.stop(5_000)
}

async function fill(config: ReturnType<typeof loadConfig>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-sandbox-'))
  const store = await openStore(config)
  try {
    const file = join(folder, 'records.ndjson')
    const lines = [...sampleRecords(Date.now() * 1000)].map((record) => JSON.stringify(record))
    writeFileSync(file, `${lines.join('\n')}\n`)
    return await importFile(store, file, config.allowHosts)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

start().then(
  () => process.exit(0),
  (error: unknown) => {
    if (!(error instanceof Problem)) throw error
    process.stderr.write(`tollbook: ${error.detail} (${error.hint})\n`)
    process.exit(1)
  },
)
