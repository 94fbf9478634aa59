import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { payment, type Sellers, startSellers } from './probe/sellers.ts'
import { temporaryFolder } from './support/engines.ts'
import { type Running, serving, tollbook } from './support/program.ts'

const listing = (url: string, method = 'GET', price = '0.010000') =>
  JSON.stringify({
    kind: 'listing',
    source: 'bazaar',
    method,
    url,
    rail: 'x402',
    price,
    network: 'base',
    label: 'directory-observed',
    first_observed: '2026-11-01T00:00:00.000000Z',
    last_observed: '2026-11-14T00:00:00.000000Z',
  })

const RECORDS = [
  listing('http://pays.example/v1/now'),
  listing('http://pays.example/v1/dearer', 'POST', '0.005000'),
  listing('http://pays.example/users/{id}'),
  listing('http://pays.example/v1/remove', 'DELETE'),
  listing('http://free.example/'),
  listing('http://broken.example/'),
  listing('http://refuses.example/'),
]

describe('probing, as an operator runs it', () => {
  let folder: string
  let sellers: Sellers
  let env: Record<string, string>
  let server: Running | undefined

  beforeEach(async () => {
    folder = temporaryFolder()
    sellers = await startSellers((request, response) => {
      const { host } = request
      if (request.path === '/robots.txt') response.writeHead(404).end()
      else if (host.startsWith('pays')) payment(response)
      else response.writeHead(host.startsWith('free') ? 200 : 500).end()
    })
    const to = (host: string, port: number): string => `${host}:80:127.0.0.1:${port}`
    env = {
      DATA_DIR: folder,
      PROBE_GAP: '0ms',
      CONNECT_TO: [
        to('pays.example', sellers.port),
        to('free.example', sellers.port),
        to('broken.example', sellers.port),
        to('refuses.example', 1),
      ].join(','),
    }
    const file = join(folder, 'records.ndjson')
    writeFileSync(file, RECORDS.join('\n'))
    await tollbook(['import', file], env)
  })

  afterEach(async () => {
    await server?.stop()
    server = undefined
    await sellers.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const view = async (host: string) => JSON.parse(await (await fetch(`${server?.address}/v1/hosts/${host}`)).text())

  it('makes one round, ends with a table, and the pages show what was seen', async () => {
    const { code, out } = await tollbook(['probe'], env)
    expect(code).toBe(0)
    expect(out).toMatch(/Probed 5 routes of 4 hosts in \d+ s; 2 not probeable as listed\.\n$/)
    expect((await tollbook(['verify'], env)).out).toBe('Verified 4 hosts, 0 differences.\n')
    server = await serving({ ...env, PROBE_INTERVAL: '30d' })
    const pays = await view('pays.example')
    expect(pays.probe_history.summary).toBe('0 answers · 2 402-correct · 0 failed · 0 unreachable')
    const byPath = Object.fromEntries(pays.routes.map((route: { path: string }) => [route.path, route]))
    expect(byPath['/v1/now']).toMatchObject({
      probe_status: 'verified',
      probes: [{ challenge: { offers: [{ price: '0.010000', network: 'base' }] } }],
    })
    expect(byPath['/v1/dearer']).toMatchObject({ probe_status: 'differs' })
    expect(byPath['/users/{id}']).toMatchObject({ probe_status: 'unverified', probes: [] })
    expect((await view('free.example')).probe_history.summary).toBe(
      '1 answers · 0 402-correct · 0 failed · 0 unreachable',
    )
    expect((await view('broken.example')).probe_history.summary).toBe(
      '0 answers · 0 402-correct · 1 failed · 0 unreachable',
    )
    expect((await view('refuses.example')).routes[0].probes[0]).toMatchObject({
      result: 'unreachable',
      http_status: null,
      error: 'connection_refused',
    })
    const page = await (await fetch(`${server.address}/hosts/pays.example`)).text()
    expect(page).toContain('Machine-observed price 0.010000')
    expect(sellers.seen.filter(({ method }) => !['GET', 'POST'].includes(method))).toEqual([])
  })

  it('goes on by itself in the server, and says how it is doing', async () => {
    server = await serving({ ...env, PROBE_INTERVAL: '1s' })
    await expect
      .poll(async () => (await view('free.example')).counters.machine_evidence_rows, { timeout: 30_000 })
      .toBeGreaterThan(2)
    const ready = JSON.parse(await (await fetch(`${server.address}/readyz`)).text())
    expect(ready).toMatchObject({ status: 'ready', probing: { state: 'working' } })
    const probing = await (await fetch(`${server.address}/probing`)).text()
    expect(probing).toContain('User-agent: tollbook')
    expect((await server.stop()).code).toBe(0)
    expect((await tollbook(['verify'], env)).out).toBe('Verified 4 hosts, 0 differences.\n')
  })

  it('refuses a host that nobody named, in one line', async () => {
    const { code, err } = await tollbook(['probe', 'nobody.example'], env)
    expect([code, err]).toEqual([
      1,
      'tollbook: there is no host nobody.example (name a host that a listing source has named)\n',
    ])
  })
})
