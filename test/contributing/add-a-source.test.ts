import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Loopback, sendJson, serve } from '../../src/ingest/testing/loopback.ts'
import { type ScratchCopy, scratchCopy, sectionOf } from './scratch-copy.ts'

const SECTION = sectionOf('Add a source')
const LIST = 'src/ingest/sources/index.ts'
const LINE = /^ {4}(export \{ corner \} .+)$/m.exec(SECTION)?.[1] ?? ''

/** The files that CONTRIBUTING.md shows in full, by the names that begin the paragraph before. */
const SHOWN = new Map(
  [...SECTION.matchAll(/^`(src\/[^`]+)`.*(?:\n.+)*\n\n```ts\n([\s\S]*?)```/gm)].map(([, file = '', text = '']) => [
    file,
    text,
  ]),
)

const LISTING = { url: 'https://api.seller.example/v1/tiles', usd: '0.0125' }
const WITHOUT_ADDRESS = { usd: '1' }

describe('adding a source as CONTRIBUTING.md says', { timeout: 120_000 }, () => {
  let copy: ScratchCopy
  let source: Loopback

  beforeAll(async () => {
    copy = scratchCopy('src', 'scripts', 'docs', 'bin', 'package.json', 'tsconfig.json', 'tsconfig.client.json')
    for (const [file, text] of SHOWN) copy.write(file, text)
    copy.write(LIST, `${copy.read(LIST)}${LINE}\n`)
    source = await serve((_url, response) => sendJson(response, { shops: [LISTING, WITHOUT_ADDRESS] }))
    // Of what is not new, what the new files and their list need.
    const settings = { extends: './tsconfig.json', include: [], files: [LIST, ...SHOWN.keys()] }
    copy.write('tsconfig.scratch.json', JSON.stringify(settings))
    const checked = await copy.tool('tsc', ['-p', 'tsconfig.scratch.json', '--pretty', 'false', '--singleThreaded'])
    expect(checked).toMatchObject({ code: 0, out: '' })
    expect(await copy.node(['scripts/build.mjs'])).toEqual({ code: 0, out: '', err: '' })
  }, 240_000)

  afterAll(async () => {
    await source?.close()
    copy?.remove()
  })

  const tollbook = (argv: readonly string[], sources: string) =>
    copy.node(['bin/tollbook.js', ...argv], {
      DATA_DIR: join(copy.folder, 'data'),
      SOURCES: sources,
      CONNECT_TO: `corner.example:80:127.0.0.1:${new URL(source.url).port}`,
    })

  it('takes one file of some twenty lines, one line of the list and a sample', () => {
    expect([...SHOWN.keys()]).toEqual(['src/ingest/sources/corner.ts', 'src/ingest/sources/testing/corner.ts'])
    expect(SHOWN.get('src/ingest/sources/corner.ts')?.split('\n').length).toBeLessThan(40)
    expect(LINE).toBe("export { corner } from './corner.ts'")
  })

  it('lets it be configured, and named to those who misspell it', async () => {
    const { code, err } = await tollbook(['ingest'], 'mine=korner:http://corner.example')
    expect(code).toBe(1)
    expect(err).toMatch(/^tollbook: SOURCES: expected name=kind:address, .*\(kinds: .*\bcorner\b.*\n$/)
  })

  it('has it swept', async () => {
    const { code, out } = await tollbook(['ingest'], 'mine=corner:http://corner.example')
    expect(out).toMatch(/^mine +complete +2 +1 +1 bad_item/m)
    expect(code).toBe(0)
    const exported = await tollbook(['export'], 'none')
    expect(exported.out).toContain('"url":"https://api.seller.example/v1/tiles","rail":"x402","price":"0.012500"')
  })

  it('has it fuzzed', async () => {
    copy.write('vitest.config.ts', "export default { cacheDir: 'cache', test: { include: ['src/**/*.test.ts'] } }\n")
    const argv = ['run', 'src/ingest/sources/fuzz.test.ts', '-t', 'the corner parser']
    const { code, out } = await copy.tool('vitest', argv, { FUZZ_RUNS: '200', NO_COLOR: '1' })
    expect(out).toMatch(/corner: 200 items/)
    expect(out).toMatch(/Tests +2 passed/)
    expect(code).toBe(0)
  })

  it('has it documented', async () => {
    expect((await copy.node(['dist/scripts/write-tables.js'])).code).toBe(0)
    expect(copy.read('docs/sources.md')).toContain('| `corner` | shops of the corner directory | the list of shops |')
    expect(copy.read('docs/operating.md')).toMatch(/^\| `SOURCES` \|.*\bcorner\b/m)
  })
})
