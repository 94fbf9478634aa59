import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'
import { serve } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollbook-serve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const config = (more: Record<string, string> = {}) =>
  loadConfig({
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    SOURCES: 'none',
    BIND: '127.0.0.1',
    ...more,
  })

const portOf = (address: string): string => new URL(address).port

describe('the whole program', () => {
  it('answers over a real store, under the port it really has', async () => {
    const running = await serve(config())
    expect(running.address).toMatch(/^http:\/\/localhost:\d+$/)
    const [ready, hosts, missing] = await Promise.all([
      fetch(`${running.address}/readyz`),
      fetch(`${running.address}/v1/hosts`),
      fetch(`${running.address}/hosts/nobody.example`),
    ])
    expect([ready.status, await hosts.json(), missing.status]).toEqual([
      200,
      { hosts: [], sort: 'host', next: null },
      404,
    ])
    expect(await missing.json()).toMatchObject({ type: `${running.address}/problems/unknown-host`, near_matches: [] })
    await running.stop(1000)
    await expect(fetch(running.address ?? '')).rejects.toThrow()
  })

  it('uses BASE_URL in its links when there is one', async () => {
    const running = await serve(config({ BASE_URL: 'https://tollbook.example' }))
    const missing = await fetch(`${running.address}/nothing`)
    expect(await missing.json()).toMatchObject({ type: 'https://tollbook.example/problems/not-found' })
    await running.stop(1000)
  })

  it('says in one line that the port is in use', async () => {
    const running = await serve(config())
    const port = portOf(running.address ?? '')
    await expect(serve(config({ PORT: port, DATA_DIR: join(folder, 'other') }))).rejects.toMatchObject({
      detail: `port ${port} is in use; set PORT to another one`,
      hint: '',
    })
    await running.stop(1000)
  })

  it('says in one line that the key of its log cannot be read, before anybody is answered', async () => {
    const dataDir = join(folder, 'bad-key')
    mkdirSync(dataDir)
    for (const junk of ['junk', '']) {
      writeFileSync(join(dataDir, 'log.key'), junk)
      for (const roles of [['web'], ['log']] as const)
        await expect(serve(config({ DATA_DIR: dataDir }), roles)).rejects.toMatchObject({
          detail: `${join(dataDir, 'log.key')} holds no key`,
          hint: expect.stringContaining('put the key of the log back'),
        })
    }
  })

  it('says in one line that an address is not its own', async () => {
    await expect(serve(config({ BIND: '192.0.2.1' }))).rejects.toMatchObject({
      detail: 'this machine has no address 192.0.2.1; set BIND to one of its own or unset it',
    })
  })

  it('says in one line that the data folder cannot be written', async () => {
    // A file where the folder should be stops root as well, whom permissions do not.
    const file = join(folder, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o400)
    await expect(serve(config({ DATA_DIR: join(file, 'data') }))).rejects.toMatchObject({
      detail: expect.stringContaining('cannot be written'),
      hint: expect.stringContaining('DATA_DIR'),
    })
  })
})
