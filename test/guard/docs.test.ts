import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { BLOCKS } from '../docs/blocks.ts'
import { temporaryFolder } from '../support/engines.ts'
import { ROOT } from '../support/program.ts'
import { type GuardWorld, guardWorld } from './world.ts'

const PROGRAMS = BLOCKS.filter(({ text }) => text.includes('createGuard('))
const PLACES: Readonly<Record<string, string>> = {
  'tollbook/guard': 'src/client/guard/index.ts',
  '@x402/fetch': 'node_modules/@x402/fetch/dist/esm/index.mjs',
  '@x402/evm/exact/client': 'node_modules/@x402/evm/dist/esm/exact/client/index.mjs',
  'mppx/client': 'node_modules/mppx/dist/client/index.js',
  'viem/accounts': 'node_modules/viem/_esm/accounts/index.js',
}
const SOLD: Readonly<Record<string, string>> = {
  '@x402/fetch': 'http://weather.seller.test/v1/now',
  'mppx/client': 'http://translate.seller.test/translate',
}

let world: GuardWorld
const folder = temporaryFolder()
beforeAll(async () => {
  world = await guardWorld([
    { host: 'weather.seller.test', method: 'GET', path: '/v1/now', rail: 'x402', price: 10_000 },
    { host: 'translate.seller.test', method: 'POST', path: '/translate', rail: 'mpp', price: 5_000 },
  ])
}, 120_000)
afterAll(async () => {
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true, force: true })
  await world?.stop()
})

it('has a program for each rail, the first of ten lines', () => {
  expect(PROGRAMS.map(({ file }) => file)).toEqual(['docs/guard.md', 'docs/guard.md'])
  expect(PROGRAMS[0]?.text.split('\n').length).toBe(10)
})

it.each(PROGRAMS)('works when pasted: $text', async ({ text }) => {
  const real = globalThis.fetch
  const toSellers: typeof fetch = (input, init) =>
    new URL(input instanceof Request ? input.url : input).hostname.endsWith('.seller.test')
      ? world.fetch(input, init)
      : real(input, init)
  const key = generatePrivateKey()
  await world.fund(key)
  const [kit = ''] = Object.keys(SOLD).filter((name) => text.includes(name))
  const program = text
    .replace('https://tollbook.example', world.directory)
    .replace('https://api.example.com/v1/x', SOLD[kit] ?? '')
    .replace("'0x…'", JSON.stringify(key))
    // The chain of this machine in place of the public one.
    .replace('tempo.charge({ account })', 'tempo.charge({ account, getClient: () => globalThis.tempoClient })')
    .replaceAll(/from '([^']+)'/g, (_, name: string) => `from '${join(ROOT, PLACES[name] ?? name)}'`)
  const file = join(folder, `${kit.replaceAll(/\W/g, '-')}.ts`)
  writeFileSync(file, `${program}\nexport const status = answer.status\n`)
  vi.stubGlobal('fetch', toSellers)
  vi.stubGlobal('tempoClient', world.tempo.client)
  try {
    expect(await import(file)).toMatchObject({ status: 200 })
  } finally {
    vi.unstubAllGlobals()
  }
})
