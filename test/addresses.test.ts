import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PATHS } from '../src/wire/paths.ts'
import { ROOT } from './support/program.ts'

/** Texts for people and agents, which read better with the address in them. What they name must be served. */
const TEXTS = [
  'src/domain/problem-kinds.ts',
  'src/main/settings/environment.ts',
  'src/render/markdown/llms.ts',
  'src/wire/api/post.ts',
  'src/wire/api/review.ts',
]

/** Addresses of the same spelling that sellers serve. */
const OF_SELLERS: Readonly<Record<string, readonly string[]>> = {
  'src/ingest/sources/openapi.ts': ['/openapi.json'],
  'src/render/listing-words.ts': ['/openapi.json'],
  'src/probe/robots-file.ts': ['/robots.txt'],
}

const DECLARED = 'src/wire/paths.ts'

/** The code that is shipped: neither tests nor what only they use. */
const FILES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file))

/** Comments may speak of any address. */
const codeOf = (file: string): string =>
  readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** What stands for a parameter: in code, in a template and in a text. */
const FILLED = String.raw`(?:\$\{[^}]*\}|\{\w+\}|<\w+>)`
// Home is left out: a slash alone is not known to be an address.
const SHAPES = Object.values(PATHS)
  .filter((path) => path !== PATHS.home)
  .map((path) => path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, FILLED))

/** An address as a whole: begun by a quote, a space or the end of the base address, and ended likewise. */
const SPELLED = new RegExp(`(?<=['"\`\\s}])(?:${SHAPES.join('|')})(?=['"\`\\s?#),;:]|\\.['"\`\\s]|$)`, 'gm')

const spelledIn = (code: string): string[] => Array.from(code.matchAll(SPELLED), ([address]) => address)

describe('an address of the directory', () => {
  it('is spelled out in one file', () => {
    const spelled = FILES.filter((file) => file !== DECLARED && !TEXTS.includes(file)).flatMap((file) =>
      spelledIn(codeOf(file))
        .filter((address) => !OF_SELLERS[file]?.includes(address))
        .map((address) => `${file}: ${address}`),
    )
    expect(spelled).toEqual([])
    expect(spelledIn(codeOf(DECLARED))).toHaveLength(Object.keys(PATHS).length - 1)
  })

  it('is found wherever it is spelled out', () => {
    const code = `get('/v1/hosts'); \`\${base}/v1/hosts/\${host}/probes?x\`; 'Sign what /v1/reviews/message says'`
    expect(spelledIn(code)).toEqual(['/v1/hosts', `/v1/hosts/\${host}/probes`, '/v1/reviews/message'])
    expect(spelledIn("import './policy.ts'; '/v1/forecast'; 'https://seller.example/v1/hosts'")).toEqual([])
  })

  it('is one that is served wherever a text names it', () => {
    const named = TEXTS.flatMap((file) =>
      Array.from(codeOf(file).matchAll(/(?<=[\s`'}])(?:\/mpp)?\/v1\/[\w/<>{}-]+/g), ([address]) => address),
    )
    expect(named.length).toBeGreaterThan(10)
    const shapes = new Set(Object.values(PATHS).map((path) => path.replaceAll(/\{\w+\}/g, '{}')))
    expect(named.filter((address) => !shapes.has(address.replaceAll(/<\w+>|\{\w+\}/g, '{}')))).toEqual([])
  })

  it('has a line in the tables of docs/agents.md, which have no other', () => {
    const [, tables = ''] = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8').split(/^## Addresses$|^## Model/m)
    const named = Array.from(tables.matchAll(/^\| (`.*?`) \|/gm), ([, cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    )
    const shapeOf = (address: string): string => address.replaceAll(/<\w+>|\{\w+\}/g, '{}')
    expect(named.flat().map(shapeOf).toSorted()).toEqual(Object.values(PATHS).map(shapeOf).toSorted())
  })

  it('of a text is still spelled out there, or the text needs no exception', () => {
    expect(TEXTS.filter((file) => spelledIn(codeOf(file)).length === 0)).toEqual([])
    for (const [file, addresses] of Object.entries(OF_SELLERS)) {
      expect(spelledIn(codeOf(file))).toEqual(addresses)
    }
  })
})
