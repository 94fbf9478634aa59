import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { descendants } from '../../../test/support/processes.ts'
import { cleanEnvironment } from '../../../test/support/program.ts'
import { Journal } from './history/journal.ts'
import { startInThread } from './thread.ts'

const isOpen = (url: string): Promise<boolean> =>
  fetch(url, { method: 'POST', body: '{"id":1,"method":"eth_chainId"}' }).then(
    ({ ok }) => ok,
    () => false,
  )

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-chain-'))
  folders.push(folder)
  return join(folder, 'a.chain.ndjson')
}

/** A program with a chain, which says where that is and then does as it is told. */
const PROGRAM = `
const { startInThread } = await import(process.argv[1])
const chain = await startInThread({ chainId: 7, kind: 'evm', blockTimeS: 1 })
console.log(chain.url)
if (process.argv[2] === 'stay') setInterval(() => {}, 1000)
`
function programWithChain(then: 'stay' | 'end') {
  const built = new URL('../../../dist/sandbox/chain/node/thread.js', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, built, then], {
    env: cleanEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, ended: once(child, 'exit'), url: once(createInterface({ input: child.stdout }), 'line').then(String) }
}

describe('a chain in a thread', () => {
  it('answers until it is stopped, and then nobody listens', async () => {
    const chain = await startInThread({ chainId: 7, kind: 'evm' })
    expect(await isOpen(chain.url)).toBe(true)
    await chain.stop()
    expect(await isOpen(chain.url)).toBe(false)
    await chain.stop()
  })

  it('is no process, and leaves neither thread nor port when its program is killed with -9', async () => {
    const { child, ended, url } = programWithChain('stay')
    expect(await isOpen(await url)).toBe(true)
    expect(descendants(child.pid ?? 0)).toEqual([])
    child.kill('SIGKILL')
    await ended
    expect(await isOpen(await url)).toBe(false)
  })

  it('keeps no program running', async () => {
    const { ended, url } = programWithChain('end')
    expect(await ended).toEqual([0, null])
    expect(await isOpen(await url)).toBe(false)
  })

  it('that cannot start says why in one line with a hint', async () => {
    const stateFile = aFile()
    const { journal } = await Journal.open(stateFile)
    const writing = setInterval(() => journal.append([{ kind: 'clock', ahead: 0 }]), 50)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(startInThread({ chainId: 7, kind: 'evm', stateFile })).rejects.toMatchObject({
      name: 'Problem',
      hint: 'stop it, or set another DATA_DIR',
    })
    clearInterval(writing)
  })

  it('does not start on a port that is taken', async () => {
    const chain = await startInThread({ chainId: 7, kind: 'evm' })
    const port = Number(new URL(chain.url).port)
    await expect(startInThread({ chainId: 7, kind: 'evm', port })).rejects.toThrow('EADDRINUSE')
    await chain.stop()
  })
})

describe('its JSON-RPC', () => {
  const post = async (url: string, body: string): Promise<unknown> =>
    (await fetch(url, { method: 'POST', body })).json()

  it('answers one question or many, and says no to each for itself', async () => {
    const chain = await startInThread({ chainId: 7, kind: 'evm' })
    const ask = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [] })
    expect(await post(chain.url, JSON.stringify(ask(1, 'eth_chainId')))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: '0x7',
    })
    expect(await post(chain.url, JSON.stringify([ask(2, 'eth_blockNumber'), ask(3, 'eth_what')]))).toMatchObject([
      { id: 2, result: '0x0' },
      { id: 3, error: { code: -32601 } },
    ])
    expect(await post(chain.url, 'nonsense')).toMatchObject({ id: null, error: { code: -32700 } })
    await chain.stop()
  })
})
