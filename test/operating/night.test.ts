import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ALERTS } from '../../scripts/watching/alerts.ts'
import { reconcileDue } from '../../src/acts/posts/reconcile.ts'
import { aCredential, aRequest, newWallet, signedBody } from '../../src/acts/testing/buyer.ts'
import { fakeChain } from '../../src/acts/testing/fake-chain.ts'
import { answered, Clock, createPostHarness, listHosts } from '../../src/acts/testing/post-harness.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import { listPayments } from '../../src/store/posts/payments.ts'
import { temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, ended, ROOT, tollbook } from '../support/program.ts'
import { aListing } from '../support/samples.ts'

const HOST = 'api.seller.example'
const QUIET = { SOURCES: 'none', PROBE_CHECK: 'none', BASE_URL: 'https://directory.example' }

interface Line {
  readonly fault: string
  readonly alert: string | undefined
  /** In code spans: what is called, where it is a command, and what it says. */
  readonly says: readonly string[]
}

const cellsOf = (row: string): string[] => row.split('|').map((cell) => cell.trim())

/** The lines of the table, as they are written. */
const LINES: readonly Line[] = (
  readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
    .split('### Ten things that go wrong at night')[1]
    ?.split('\n## ')[0] ?? ''
)
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((row) => {
    const [, fault = '', alert = '', explanation = ''] = cellsOf(row)
    const says = [...explanation.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
    return { fault, alert: /`(\w+)`/.exec(alert)?.[1], says }
  })

const folders: string[] = []
const servers: Server[] = []
const folder = (): string => {
  const made = temporaryFolder()
  folders.push(made)
  return made
}
afterAll(async () => {
  for (const server of servers) server.close()
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

const listeningOn = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const said = async (argv: string[], env: Record<string, string>): Promise<string> => {
  const { out, err } = await tollbook(argv, { ...QUIET, DATA_DIR: folder(), ...env })
  return out + err
}

async function facilitatorFails(): Promise<string> {
  const port = await listeningOn(createServer((_request, response) => response.writeHead(500).end()))
  const wallet = `0x${'11'.repeat(20)}`
  return said(['doctor'], { X402_PAY_TO: wallet, X402_FACILITATOR_URL: `http://127.0.0.1:${port}` })
}

/** A disk of 16 MB where this user may make one; `undefined` where not. */
async function smallDisk(): Promise<string | undefined> {
  const place = folder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', place], { stdio: 'ignore' })
  } catch {
    process.stderr.write('No small disk can be mounted here: the line about a full one is not tried.\n')
    return undefined
  }
  try {
    return await said(['doctor'], { DATA_DIR: place })
  } finally {
    execFileSync('umount', [place])
  }
}

async function undecidedPayment(): Promise<string> {
  const dataDir = folder()
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await listHosts(store, [HOST])
  const [clock, wallet] = [new Clock(), newWallet()]
  const ledger = createPostHarness(store, clock, {
    chain: fakeChain(),
    fault: () => 'reset after broadcast',
    isNodeUp: () => false,
  })
  const body = await signedBody(wallet, HOST, 'Is it up?', clock.us)
  await answered(ledger.threads, aRequest(HOST, body, aCredential(wallet.address, clock.us)))
  clock.passSeconds(60)
  await reconcileDue(ledger)
  const [payment] = await listPayments(store, { limit: 1 })
  await store.close()
  expect(await said(['payments', '--state', 'pending'], { DATA_DIR: dataDir })).toContain(payment?.postId)
  return said(['payments', payment?.postId ?? ''], { DATA_DIR: dataDir })
}

async function portTaken(): Promise<string> {
  const port = String(await listeningOn(createServer()))
  return said(['serve', '--roles', 'ingest'], { METRICS_PORT: port })
}

async function nobodySweeps(): Promise<string> {
  const place = folder()
  const file = join(place, 'mine.ndjson')
  const line = JSON.stringify({ method: 'GET', url: `https://${HOST}/v1/x`, rail: 'x402' })
  writeFileSync(file, `${line}\n`)
  return said(['ingest', 'mine'], { SOURCES: `mine=file:${file}` })
}

/** A prober whose names nobody resolves, ours and those that are always there. */
async function offlineProber(): Promise<string> {
  const place = folder()
  const file = join(place, 'records.ndjson')
  const times = { first_observed: '2026-11-01T00:00:00.000000Z', last_observed: '2026-11-14T00:00:00.000000Z' }
  const listing = { kind: 'listing', source: 'mine', method: 'GET', rail: 'x402', price: null, network: null }
  const hosts = Array.from({ length: 5 }, (_, n) => ({
    ...{ ...listing, label: 'directory-observed', url: `https://s${n}.nowhere.test/x` },
    ...times,
  }))
  writeFileSync(file, hosts.map((record) => JSON.stringify(record)).join('\n'))
  const port = await listeningOn(createServer())
  await new Promise((resolve) => servers.pop()?.close(resolve))
  const env = { ...QUIET, DATA_DIR: join(place, 'data'), ALLOW_HOSTS: '*.nowhere.test', LOG_LEVEL: 'silent' }
  await tollbook(['import', file], env)
  const child = spawn(process.execPath, [join(ROOT, 'bin/tollbook.js'), 'serve', '--roles', 'probe'], {
    env: cleanEnvironment({ ...env, METRICS_PORT: String(port), PROBE_CHECK: 'https://check.nowhere.test/' }),
  })
  const end = ended(child)
  const ready = (): Promise<string> => fetch(`http://127.0.0.1:${port}/readyz`).then((answer) => answer.text(), String)
  await expect.poll(ready, { timeout: 40_000, interval: 250 }).toContain('offline')
  const text = await ready()
  child.kill('SIGTERM')
  await end
  return text
}

async function notProbed(): Promise<string> {
  const dataDir = folder()
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await saveListings(store, { listings: [aListing({ host: HOST, path: '/v1/x', method: 'PUT' })] })
  await store.close()
  return said(['why', `https://${HOST}/v1/x`], { DATA_DIR: dataDir })
}

async function missingFile(): Promise<string> {
  const place = folder()
  mkdirSync(join(place, 'data'))
  return said(['ingest', 'mine'], { SOURCES: `mine=file:${join(place, 'missing.ndjson')}` })
}

/** By what goes wrong: makes it so and says what the explanation is; `undefined` where it cannot be made here. */
const FAULTS: Readonly<Record<string, () => Promise<string | undefined>>> = {
  'Postgres is gone': () => said(['doctor'], { DATABASE_URL: 'postgres://tollbook@127.0.0.1:1/tollbook' }),
  'The disk runs full': smallDisk,
  'A process does not come up': portTaken,
  'A setting has no effect': () => said(['doctor'], { DATABSE_URL: 'postgres://tollbook@127.0.0.1:1/tollbook' }),
  'The facilitator fails': facilitatorFails,
  'A payment stays undecided': undecidedPayment,
  'A source breaks off': missingFile,
  'Nobody sweeps': nobodySweeps,
  'The prober reaches nobody': offlineProber,
  'A seller asks why it is not probed': notProbed,
}

describe('what goes wrong at night', () => {
  it('is ten lines, each with a fault that is tried and an alert that there is', () => {
    expect(LINES.map(({ fault }) => fault)).toEqual(Object.keys(FAULTS))
    const names = ALERTS.map(({ name }) => name)
    expect(LINES.flatMap(({ alert }) => alert ?? []).filter((alert) => !names.includes(alert))).toEqual([])
  })

  it.each(LINES)('$fault: the explanation says what the line says', async ({ fault, says }) => {
    const explained = await FAULTS[fault]?.()
    if (explained === undefined) return
    const words = says.at(-1) ?? ''
    // `…` stands for whatever comes in between, and columns are as wide as they need to be.
    const pattern = words
      .split('…')
      .map((part) =>
        part
          .trim()
          .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
          .replaceAll(/\s+/g, '\\s+'),
      )
      .join('[^\\n]*')
    expect(explained).toMatch(new RegExp(pattern))
  })
})
