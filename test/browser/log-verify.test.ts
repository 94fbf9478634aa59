import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedLog, serveLog } from '../../src/log/testing/static-log.ts'
import { newSigner, utf8 } from '../../src/log/tlog/index.ts'
import { SmallLog, someEntries } from '../../src/log/tlog/testing/small-log.ts'
import { chromiumPath, openBrowser } from './chromium.ts'

const path = chromiumPath()
const SIZE = 300

let log: SmallLog
let served: ServedLog
let browser: Browser
let page: Page
beforeAll(async () => {
  if (path === undefined) return
  log = new SmallLog(await newSigner(new Uint8Array(32).fill(1), 'log.example/log'))
  await log.append(someEntries(SIZE))
  log.files.set('verify.mjs', readFileSync(new URL('../../src/log/verify.mjs', import.meta.url)))
  log.files.set('page', utf8('Any page.'))
  served = await serveLog(log)
  browser = await openBrowser(path)
  page = await browser.newPage()
  await page.goto(`${served.address}/log/page`)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await served?.close()
})

/** What the verifier says in the page, and how it ends. */
const verified = (wishes: object): Promise<unknown> =>
  page.evaluate(`import('${served.address}/log/verify.mjs').then(async ({ verify, Wrong }) => {
    const said = []
    try {
      const { size, entry } = await verify('${served.address}', { ...${JSON.stringify(wishes)}, say: (line) => said.push(line) })
      return { size, entry: entry === undefined ? null : new TextDecoder().decode(entry), last: said.at(-1) }
    } catch (error) {
      return { isWrong: error instanceof Wrong, message: error.message }
    }
  })`)

describe.runIf(path !== undefined)('the verifier on a page', () => {
  it('checks the whole log, and one entry of it', async () => {
    expect(await verified({})).toEqual({
      size: SIZE,
      entry: null,
      last: 'Every entry and every tile leads to this root.',
    })
    expect(await verified({ index: 299, vkeys: [log.signer.vkey] })).toMatchObject({
      entry: Buffer.from(log.entries[299] ?? []).toString(),
    })
  })

  it('says what is wrong and where', async () => {
    const bundle = log.files.get('tile/entries/000') ?? new Uint8Array(0)
    log.files.set(
      'tile/entries/000',
      bundle.map((byte, at) => (at === 5 ? byte ^ 1 : byte)),
    )
    expect(await verified({})).toEqual({ isWrong: true, message: 'entry 0: its hash is not in tile/0/000' })
    log.files.set('tile/entries/000', bundle)
    const other = await newSigner(new Uint8Array(32).fill(2), 'log.example/log')
    expect(await verified({ vkeys: [other.vkey] })).toMatchObject({ isWrong: true })
  })
})
