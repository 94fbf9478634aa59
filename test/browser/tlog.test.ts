import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedLog, serveLog } from '../../src/log/testing/static-log.ts'
import * as tlog from '../../src/log/tlog/index.ts'
import { ROOT } from '../support/program.ts'
import { chromiumPath, openBrowser } from './chromium.ts'

const path = chromiumPath()

let code: string
let served: ServedLog
let browser: Browser
beforeAll(async () => {
  const bundle = await rolldown({ input: join(ROOT, 'src/log/tlog/index.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  code = output[0].code
  served = await serveLog({
    files: new Map([
      ['tlog.mjs', tlog.utf8(code)],
      ['page', tlog.utf8('Any page.')],
    ]),
  })
  if (path !== undefined) browser = await openBrowser(path)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await served.close()
})

/** A log from its first entry to a cosigned checkpoint and its proofs, told in texts: the same here and on a page. */
async function story(t: typeof tlog): Promise<string[]> {
  const entries = Array.from({ length: 600 }, (_, at) => t.utf8(`entry ${at} ${'x'.repeat(at)}`))
  const tiles = new Map<string, Uint8Array>()
  const readTile: tlog.ReadTile = (level, index) => tiles.get(`${level}/${index}`) ?? new Uint8Array(0)
  const signer = await t.newSigner(new Uint8Array(32).fill(1), 'log.example/log')
  const witness = await t.newCosigner(new Uint8Array(32).fill(2), 'witness.example')
  const leaves = entries.map((entry) => t.hashLeaf(entry))
  let root = t.EMPTY_ROOT
  for (let from = 0; from < entries.length; from += 100) {
    const grown = await t.appendLeaves(readTile, from, leaves.slice(from, from + 100))
    for (const { level, index, bytes } of grown.tiles) tiles.set(`${level}/${index}`, bytes)
    root = grown.root
  }
  const text = t.formatCheckpoint({ origin: 'log.example/log', size: 600, root })
  const note = (await t.signNote(text, signer)) + t.signatureLine(await witness.cosign(text, 1_700_000_000))
  const opened = await t.openCheckpoint(note, t.newVerifier(signer.vkey), [t.newCosignatureVerifier(witness.vkey)])
  const hashes = await t.inclusionProof(readTile, 321, 600)
  const isIn = t.verifyInclusion(leaves[321] ?? root, 321, 600, hashes, opened.root)
  return [note, t.formatProof({ index: 321, hashes, checkpoint: note }), String(isIn), String(opened.signatures.length)]
}

describe('the library of the log in browsers', () => {
  it('imports nothing', () => {
    expect(code).not.toMatch(/^import |\bimport\(|require\(/m)
  })

  it.runIf(path !== undefined)('writes and reads in Chromium what it does in Node, to the same byte', async () => {
    const here = await story(tlog)
    expect(here.slice(2)).toEqual(['true', '2'])
    const page = await browser.newPage()
    await page.goto(`${served.address}/log/page`)
    const there: unknown = await page.evaluate(
      `import('${served.address}/log/tlog.mjs').then((t) => (${story.toString()})(t))`,
    )
    expect(there).toEqual(here)
  })
})
