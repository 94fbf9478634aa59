import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './crew/free-port.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tollbook-command-'))
const started: ChildProcess[] = []

beforeAll(() => {
  if (!existsSync(join(root, 'dist/program/tollbook.js'))) throw new Error('not built: run npm run build first')
})
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The real command in a process of its own. */
function tollbook(argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'bin/tollbook.js'), ...argv], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      SOURCES: 'none',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    said.err += String(chunk)
  })
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, ...said }))
  })
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const match = /"msg":"Tollbook listens on (http:\/\/localhost:\d+)"/.exec(said.out)
      if (match?.[1] !== undefined) resolve(match[1])
    })
    child.once('close', () => reject(new Error(`ended early: ${said.err}`)))
  })
  // Not everybody waits for it.
  address.catch(() => undefined)
  return { child, ended, address }
}

describe('the command in a process of its own', () => {
  it('says in one line that the disk takes no more of its output', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [join(root, 'bin/tollbook.js'), '--help'], {
      stdio: ['ignore', full, 'pipe'],
    })
    started.push(child)
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += String(chunk)
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    closeSync(full)
    expect([code, said]).toEqual([1, 'tollbook: the output cannot be written: no room is left on that disk\n'])
  })

  it('says the version of its package', async () => {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ version: (await tollbook(['--version']).ended).out.trim() })
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'serves until %s, then lets go of open connections and exits 0',
    async (signal) => {
      const { child, ended, address } = tollbook(['serve'])
      const { port } = new URL(await address)
      const idle = connect(Number(port), 'localhost')
      await new Promise((resolve) => idle.once('connect', resolve))
      idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await new Promise((resolve) => idle.once('data', resolve))
      child.kill(signal)
      await new Promise((resolve) => idle.once('close', resolve))
      const { code, out, err } = await ended
      expect({ code, err, lines: out.trim().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 })
      expect(JSON.parse(out)).toMatchObject({
        level: 'info',
        msg: `Tollbook listens on http://localhost:${port}`,
        address: `http://localhost:${port}`,
        roles: ['web', 'ingest', 'probe'],
      })
    },
  )

  it('says what is wrong in one line on standard error', async () => {
    const running = tollbook(['serve'])
    const { port } = new URL(await running.address)
    const line = (env: Record<string, string>) => tollbook(['serve'], env).ended
    expect(await line({ PORT: port, DATA_DIR: join(folder, 'second') })).toEqual({
      code: 1,
      out: '',
      err: `tollbook: port ${port} is in use; set PORT to another one\n`,
    })
    const unwritable = await line({ DATA_DIR: '/dev/null/data' })
    expect(unwritable).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^tollbook: .*DATA_DIR.*\n$/) })
    const watched = await line({ METRICS_PORT: port, DATA_DIR: join(folder, 'third') })
    expect(watched.err).toBe(`tollbook: port ${port} is in use; set METRICS_PORT to another one\n`)
    const both = String(await freePort(undefined))
    const same = await line({ PORT: both, METRICS_PORT: both, DATA_DIR: join(folder, 'same') })
    expect(same.err).toBe(`tollbook: PORT and METRICS_PORT are both ${both}; set one of them to another port\n`)
    const nowhere = await line({ DATA_DIR: '/proc/nope/data' })
    expect(nowhere).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^tollbook: .*\/proc\/nope.*\n$/) })
    const wrong = await line({ PORT: 'eighty' })
    expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^tollbook: PORT: expected .*\n$/) })
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(0)
  })
})
