import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { directoryOf } from '../../test/support/directory.ts'
import { openReviewing } from '../../test/support/reviewing.ts'
import type { WebServer } from '../http/server/server.ts'
import { startSample } from '../http/testing/samples.ts'
import { openSqlite } from '../store/engines/sqlite.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext } from './command.ts'
import { reviewCommand } from './review.ts'
import { verifyCommand } from './verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollbook-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const keyFile = join(folder, 'key')
writeFileSync(keyFile, '7'.repeat(64), { mode: 0o600 })

let store: Store
let web: WebServer
let nowMs: number
let opened = 0
beforeEach(async () => {
  store = await openSqlite(join(folder, `store-${opened++}`))
  const { reviews, clock } = await openReviewing(store, [], () => `127.0.0.1:${web.port}`)
  nowMs = clock.us / 1000
  web = await startSample({ directory: directoryOf(store), reviews })
})
afterEach(async () => {
  await web.drain(1000)
  await store.close()
})

const url = 'https://api.seller.example/v1/weather'

async function run(argv: string[]): Promise<{ code: number; out: string }> {
  const written: string[] = []
  const screen = { write: (text: string) => written.push(text) > 0, isTTY: false, columns: 80 }
  const context: CommandContext = {
    allowHosts: [],
    openStore: async () => store,
    sources: [],
    ingesting: () => {
      throw new Error('not here')
    },
    out: screen,
    err: screen,
  }
  const baseUrl = `http://127.0.0.1:${web.port}`
  const deps = { baseUrl, fetch: globalThis.fetch, nowMs: () => nowMs, sleep: async () => undefined }
  const [name, ...rest] = argv
  const command =
    name === 'review'
      ? reviewCommand(deps)
      : verifyCommand(globalThis.fetch, () => Promise.reject(new Error('nobody is asked')))
  const code = await command.run(rest, context)
  return { code, out: written.join('') }
}

describe('tollbook review', () => {
  it('shows what is signed, submits it and says the level; what it submitted is verified offline', async () => {
    const said = ['review', url, '--rating', '4', '--text', 'As described.', '--key-file', keyFile]
    const { code, out } = await run(said)
    expect(code).toBe(0)
    expect(out).toContain(`  review\n  GET ${url}\n  x402\n  4\n`)
    // Good for this directory alone.
    expect(out).toContain(`  directory 127.0.0.1:${web.port}\n`)
    expect(out).toContain('Level: Signed\nIt counts as an agent review.')
    const id = /reviews\/([0-9a-f]{32})/.exec(out)?.[1]
    const address = `http://127.0.0.1:${web.port}/v1/reviews/${id}`
    const verified = await run(['verify', 'review', address])
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('Verified: the review is as its wallet') })
    const file = join(folder, 'review.json')
    const document = await (await fetch(address)).text()
    writeFileSync(file, document.replace('As described.', 'As promised.'))
    expect(await run(['verify', 'review', file])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Not verified'),
    })
    expect((await run(said)).out).toContain('Submitted before')
  })

  it.each([
    [['--status', '500', '--latency', '812'], 'outcome 500 812 none'],
    [['--status', 'none', '--latency', '30000'], 'outcome none 30000 none'],
    [
      ['--status', '200', '--latency', '80', '--bytes', '12', '--content-sha256', 'ab'.repeat(32)],
      `outcome 200 80 ${'ab'.repeat(32)}`,
    ],
  ])('signs what the paid call brought, and that is verified offline: %j', async (told, line) => {
    const said = ['review', url, '--rating', '1', '--text', 'What came of it.', '--key-file', keyFile, ...told]
    const { code, out } = await run(said)
    expect([code, out]).toEqual([0, expect.stringContaining(`  none\n  ${line}\n  directory `)])
    const id = /reviews\/([0-9a-f]{32})/.exec(out)?.[1]
    const stored = await (await fetch(`http://127.0.0.1:${web.port}/v1/reviews/${id}`)).json()
    const document = z.looseObject({ outcome: z.record(z.string(), z.unknown()) }).parse(stored)
    const file = join(folder, 'outcome.json')
    writeFileSync(file, JSON.stringify(document))
    expect(await run(['verify', 'review', file])).toMatchObject({ code: 0 })
    const { outcome } = document
    for (const change of [{ http_status: 404 }, { latency_ms: 1 }, { content_sha256: 'cd'.repeat(32) }]) {
      writeFileSync(file, JSON.stringify({ ...document, outcome: { ...outcome, ...change } }))
      expect(await run(['verify', 'review', file])).toMatchObject({ code: 1 })
    }
  })

  it.each([
    ['a status without a time', ['--status', '500']],
    ['a time without a status', ['--latency', '812']],
    ['a status that is none', ['--status', '99', '--latency', '1']],
    ['a time beyond a day', ['--status', '500', '--latency', '86400001']],
    ['a digest in another form', ['--status', '500', '--latency', '1', '--content-sha256', 'AB']],
  ])('refuses %s before anything is sent', async (_, told) => {
    const said = ['review', url, '--rating', '1', '--text', 'What came of it.', ...told]
    await expect(run(said)).rejects.toMatchObject({ slug: 'usage', hint: expect.stringContaining('--status 500') })
  })

  it('names the payment and says why it does not support the review', async () => {
    const { out } = await run(
      ['review', url, '--rating', '1', '--text', 'x', '--key-file', keyFile].concat('--payment', 'eip155:8453:0xabc'),
    )
    expect(out).toContain('  eip155:8453 0xabc\n')
    expect(out).toContain('Level: Signed (there is no such transaction)')
  })

  it('sends without a key what nobody signs', async () => {
    const { code, out } = await run(['review', url, '--rating', '3', '--text', 'x'])
    expect([code, out.includes('Level: Unsigned')]).toEqual([0, true])
  })

  it.each([
    [['review']],
    [['review', url, '--rating', '6', '--text', 'x']],
    [['review', url, '--rating', '3']],
    [['review', 'ftp://api.seller.example/x', '--rating', '3', '--text', 'x']],
    [['review', url, '--rating', '3', '--text', 'x', '--payment', 'base:0x1']],
    [['review', url, '--rating', '3', '--text', 'x\u202e']],
    [['verify', 'listing', 'x.json']],
    [['verify', 'review', join(folder, 'nothing.json')]],
  ])('is refused as %j', async (argv) => {
    await expect(run(argv)).rejects.toMatchObject({ name: 'Problem' })
  })

  it('says in one line why the directory refused', async () => {
    const unknown = ['review', 'https://api.seller.example/none', '--rating', '3', '--text', 'x']
    await expect(run(unknown)).rejects.toMatchObject({ slug: 'refused', status: 404 })
  })
})
