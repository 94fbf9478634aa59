import { describe, expect, it } from 'vitest'
import { siteOf } from './base-url.ts'
import { loadConfig } from './config.ts'
import { createRails } from './rails.ts'

const PAYEE = `0x${'1'.repeat(40)}`

async function at(env: Record<string, string>) {
  const config = loadConfig({ SOURCES: 'none', ...env })
  return siteOf(config, await createRails(config), 8402)
}

describe('what pages say about themselves', () => {
  it.each([
    [{}, 'http://localhost:8402'],
    [{ BASE_URL: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000'],
  ])('names the command of this checkout to readers at this machine: %j', async (env, baseUrl) => {
    expect(await at(env)).toMatchObject({ baseUrl, command: 'node bin/tollbook.js' })
  })

  it.each(['https://tollbook.example', 'http://localhost.example:8402', 'https://10.0.0.1'])(
    'leaves the command of the installed package to readers of %s',
    async (BASE_URL) => {
      expect(await at({ BASE_URL })).toEqual({ baseUrl: BASE_URL, notice: undefined, rails: [] })
    },
  )

  it('names the rails that are set up', async () => {
    const x402 = { X402_PAY_TO: PAYEE, X402_FACILITATOR_URL: 'https://facilitator.example' }
    expect((await at(x402)).rails).toEqual(['x402'])
    expect((await at({ X402_PAY_TO: PAYEE })).rails).toEqual([])
  })
})
