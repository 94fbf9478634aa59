import { describe, expect, it } from 'vitest'
import { siteOf } from './base-url.ts'
import { loadConfig } from './config.ts'

const at = (env: Record<string, string>) => siteOf(loadConfig({ SOURCES: 'none', ...env }), 8402)

describe('what pages say about themselves', () => {
  it.each([
    [{}, 'http://localhost:8402'],
    [{ BASE_URL: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000'],
  ])('names the command of this checkout to readers at this machine: %j', (env, baseUrl) => {
    expect(at(env)).toMatchObject({ baseUrl, command: 'node bin/tollbook.js' })
  })

  it.each(['https://tollbook.example', 'http://localhost.example:8402', 'https://10.0.0.1'])(
    'leaves the command of the installed package to readers of %s',
    (BASE_URL) => {
      expect(at({ BASE_URL })).toEqual({ baseUrl: BASE_URL, notice: undefined })
    },
  )
})
