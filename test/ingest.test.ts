import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { sweepsOn } from '../src/ingest/sweep/stored-sweeps.ts'
import { type Answer, type Loopback, sendJson, serve } from '../src/ingest/testing/loopback.ts'
import { openStore } from '../src/store/open.ts'
import { temporaryFolder } from './support/engines.ts'
import { freshDatabase } from './support/postgres.ts'
import { cleanEnvironment, ROOT, type Running, serving, tollbook } from './support/program.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const ITEMS = 900

const item = (n: number) => ({
  resource: `https://h${n % 9}.seller.example/r/${n}`,
  type: 'http',
  x402Version: 2,
  accepts: [{ scheme: 'exact', network: 'base', amount: '10000', asset: USDC, payTo: `0x${'ab'.repeat(20)}` }],
})

const facilitator: Answer = (url, response) => {
  const offset = Number(url.searchParams.get('offset'))
  const items = Array.from({ length: ITEMS }, (_, n) => (n === 77 ? { resource: 12 } : item(n))).slice(
    offset,
    offset + 100,
  )
  sendJson(response, { x402Version: 2, items, pagination: { limit: 100, offset, total: ITEMS } })
}

/** What the sellers themselves publish. */
const documents: Answer = (url, response) => {
  if (url.hostname !== 'own.seller.example' || url.pathname !== '/openapi.json') response.writeHead(404).end()
  else
    sendJson(response, {
      openapi: '3.1.0',
      paths: {
        '/paid/{id}': {
          get: { 'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: '0.05' }, protocols: ['x402'] } },
        },
      },
    })
}

describe('listing sources, as an operator runs them', () => {
  let folder: string
  let source: Loopback
  /** It takes requests and answers none. */
  let isSilent: boolean
  let env: Record<string, string>
  let server: Pick<Running, 'address' | 'stop'> | undefined

  beforeEach(async () => {
    folder = temporaryFolder()
    isSilent = false
    source = await serve((url, response, request) => {
      if (!isSilent) (url.pathname === '/discovery/resources' ? facilitator : documents)(url, response, request)
    })
    const port = new URL(source.url).port
    env = {
      DATA_DIR: folder,
      SOURCES: 'bazaar-test=bazaar:http://facilitator.example,openapi=openapi',
      // TLS is not what this is about: sellers' own documents are asked for at http ports of loopback.
      CONNECT_TO: `facilitator.example:80:127.0.0.1:${port},own.seller.example:80:127.0.0.1:${port}`,
    }
  })

  afterEach(async () => {
    await server?.stop()
    server = undefined
    await source.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are swept by a command that ends with a table', async () => {
    const { code, out } = await tollbook(['ingest', 'bazaar-test'], env)
    expect(code).toBe(0)
    expect(out).toMatch(
      /^source +outcome +seen +stored +refused +announced +why\nbazaar-test +complete +900 +899 +1 bad_item +900\n$/,
    )
  })

  const databaseUrl = inject('databaseUrl')
  const engines = ['SQLite', ...(databaseUrl === null ? [] : ['Postgres'])] as const

  it.each(engines)(
    'go on after kill -9 and end with everything once, on %s',
    async (engine) => {
      if (engine === 'Postgres' && databaseUrl !== null) env.DATABASE_URL = await freshDatabase(databaseUrl)
      const child = spawn(process.execPath, [join(ROOT, 'bin/tollbook.js'), 'ingest', 'bazaar-test'], {
        env: cleanEnvironment(env),
      })
      const store = await openStore({ dataDir: folder, databaseUrl: env.DATABASE_URL })
      const saved = async () => Number((await sweepsOn(store).loadProgress('bazaar-test'))?.cursor ?? 0)
      await expect.poll(saved, { timeout: 60_000 }).toBeGreaterThanOrEqual(200)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('close', resolve))
      await store.close()
      const before = source.asked.length
      // The dead program still has the source by the store; being one of this machine, it is not waited for.
      expect((await tollbook(['ingest', 'bazaar-test'], env)).out).toMatch(/complete +900 +899/)
      // It goes on from there, and reads a short list that is all new a second time.
      const offsets = source.asked.slice(before).map((asked) => Number(/offset=(\d+)/.exec(asked)?.[1]))
      expect(offsets[0]).toBeGreaterThanOrEqual(200)
      expect((await tollbook(['verify'], env)).out).toBe('Verified 9 hosts, 0 differences.\n')
    },
    240_000,
  )

  it('say which program has a source, and until when', async () => {
    isSilent = true
    const running = spawn(process.execPath, [join(ROOT, 'bin/tollbook.js'), 'ingest', 'bazaar-test'], {
      env: cleanEnvironment(env),
    })
    await expect.poll(() => source.asked.length, { timeout: 30_000 }).toBeGreaterThan(0)
    const { code, out } = await tollbook(['ingest', 'bazaar-test'], env)
    running.kill('SIGKILL')
    await new Promise((resolve) => running.once('close', resolve))
    expect(out).toContain('busy')
    expect(out).toMatch(new RegExp(`${hostname()}:${running.pid}:\\S+ sweeps it until \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z`))
    expect(code).toBe(1)
  }, 60_000)

  it('are swept by the server when they are due, and shown with their counts', async () => {
    const { address, stop } = await serving(env)
    server = { address, stop }
    const read = async () => JSON.parse(await (await fetch(`${address}/v1/sources`)).text()).sources
    await expect.poll(async () => (await read())[0].last_sweep?.status, { timeout: 60_000 }).toBe('complete')
    // When it is due again is known once its lease is given back.
    await expect.poll(async () => (await read())[0].next_run, { timeout: 60_000 }).not.toBeNull()
    const sources = await read()
    expect(sources[0]).toMatchObject({
      name: 'bazaar-test',
      kind: 'bazaar',
      last_sweep: {
        status: 'complete',
        seen: 900,
        stored: 899,
        refused: { bad_item: 1 },
        announced: 900,
        error: null,
      },
    })
    expect(sources[0].next_run).toMatch(/^\d{4}-.*Z$/)
    const page = await (await fetch(`${address}/sources`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<h2>bazaar-test</h2>')
    expect(page).toContain('Refused: 1 bad_item')
    const host = await (await fetch(`${address}/v1/hosts/h3.seller.example`)).text()
    expect(host).toMatch(/bazaar-test: price 0\.010000, network base, label directory-observed, observed \S+Z to \S+Z/)
    expect((await stop()).code).toBe(0)
  })

  it('take one seller by its address and say what was found and refused', async () => {
    const { code, out } = await tollbook(['add', 'http://own.seller.example/anything'], env)
    expect(out).toContain('openapi: http://own.seller.example/openapi.json document\n')
    expect(out).toContain('well-known: http://own.seller.example/.well-known/x402 http_404\n')
    expect(out).toMatch(/GET +http:\/\/own\.seller\.example\/paid\/\{id\} +x402 +0\.050000 +no data/)
    expect(out).toContain('1 listing rows stored.\n')
    expect(code).toBe(0)
  })

  it('ask nothing of a host that opted out, and say so', async () => {
    const { code, out } = await tollbook(['add', 'http://own.seller.example/'], {
      ...env,
      PROBE_OPT_OUT: 'own.seller.example',
    })
    expect(out).toContain(
      'openapi: http://own.seller.example/openapi.json not asked: this directory leaves the host alone (PROBE_OPT_OUT)\n',
    )
    expect(out).toContain('0 listing rows stored.\n')
    expect(code).toBe(1)
    expect(source.asked).toEqual([])
  })

  it('refuse an address that is not public, in one line', async () => {
    for (const url of ['http://127.0.0.1/', 'http://localhost/', 'ftp://a.example']) {
      const { code, err } = await tollbook(['add', url], env)
      expect(code).toBe(1)
      expect(err).toMatch(/^tollbook: .* cannot be added: [^\n]+\n$/)
    }
  })

  it('say which source failed, with exit code 1', async () => {
    const file = join(folder, 'mine.ndjson')
    writeFileSync(file, '')
    const { code, out } = await tollbook(['ingest'], {
      ...env,
      SOURCES: `dead=bazaar:http://nobody.example,mine=file:${file}`,
      CONNECT_TO: 'nobody.example:80:127.0.0.1:1',
    })
    expect(code).toBe(1)
    expect(out).toMatch(/dead +failed .*connection_refused/)
  })
})
