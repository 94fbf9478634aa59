import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/program.ts'
import { scratchCopy } from './scratch-copy.ts'

const VOCABULARY = 'src/domain/words/route-words.ts'
const RAILS = "export const RAILS = ['x402', 'mpp'] as const"

/** Every file that must know what a rail is about, and what it must know. The rest follows from these. */
const PLACES: Readonly<Record<string, string>> = {
  'src/acts/posts/threads.ts': 'which credential belongs to which rail',
  'src/cli/payers.ts': 'how the command line pays for a post',
  'src/client/write.ts': 'where a client sends a paid post',
  'src/domain/money/settlement.ts': 'whether a facilitator is believed where there is no node',
  'src/http/openapi/payment-info.ts': 'how the OpenAPI document states the price',
  'src/http/routes/writing/paid-post.ts': 'where posts are paid, and through which headers',
  'src/ingest/read/payment-info.ts': "how sellers' documents write its terms",
  'src/ingest/sources/402index.ts': 'how that source names it',
  'src/main/doctor/payment-findings.ts': 'what an operator must have set up',
  'src/main/rails.ts': 'the rail itself, or what it needs to be set',
  'src/mcp/prepare-tools.ts': 'where an agent is told to pay',
  'src/payment/rail.ts': 'which headers carry its credential',
  'src/render/examples/post-example.ts': 'what a page shows to those who want to post',
  'src/render/examples/quickstart.ts': 'where the first steps say that posts are paid',
  'src/render/json/policy.ts': 'where the policy says that posts are paid',
  'src/render/markdown/llms.ts': 'where language models are told to pay',
  'src/wire/api/host.ts': 'the schema of where posts are paid',
  'src/wire/paths.ts': 'the address of paid posts',
}

describe('adding a name to RAILS', () => {
  it('is described with the very places that must know it', () => {
    const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    const section = guide.slice(guide.indexOf('## Add a rail'), guide.indexOf('## Add a page'))
    const said = [...section.matchAll(/^ {3}- `(\S+)`: (.+)$/gm)].map(([, file, what]) => [file, what])
    expect(Object.fromEntries(said)).toEqual(PLACES)
    expect(section).toContain(VOCABULARY)
  })

  const copy = scratchCopy('src', 'package.json', 'tsconfig.json')
  afterAll(() => copy.remove())

  it('does not compile until every place that must know the rail does', async () => {
    const only = { include: ['src'], exclude: ['**/*.test.ts', '**/*.test.tsx', 'src/**/testing'] }
    copy.write('tsconfig.scratch.json', JSON.stringify({ extends: './tsconfig.json', ...only }))
    const before = copy.read(VOCABULARY)
    expect(before).toContain(RAILS)
    copy.write(VOCABULARY, before.replace(RAILS, RAILS.replace(']', ", 'newrail']")))
    const { out } = await copy.tool('tsc', ['-p', 'tsconfig.scratch.json', '--pretty', 'false', '--singleThreaded'])
    const errors = [...out.matchAll(/^(\S+)\(\d+,\d+\): error .*$/gm)]
    expect([...new Set(errors.map(([, file]) => file))].toSorted()).toEqual(Object.keys(PLACES))
    // None for another reason.
    expect(errors.map(([line]) => line).filter((line) => !line.includes('newrail'))).toEqual([])
  }, 240_000)
})
