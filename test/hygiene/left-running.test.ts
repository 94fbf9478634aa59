import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processTable } from '../support/process-table.ts'
import { descendants } from '../support/processes.ts'
import { ROOT } from '../support/program.ts'
import { processesOf } from '../support/run-guard.mjs'

const PATIENCE_MS = 90_000
const LOOK_MS = 200

async function until<T>(look: () => T | undefined): Promise<T> {
  const endMs = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = look()
    if (seen !== undefined) return seen
    if (Date.now() > endMs) throw new Error('it did not come to that')
    await wait(LOOK_MS)
  }
}

interface Held {
  readonly run: string
  readonly address: string
  /** The folder of all that it writes. */
  readonly files: string
}

describe('a test run that is ended in the middle', () => {
  let folder: string
  let run: ChildProcess
  let held: Held

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollbook-hygiene-'))
    const file = join(folder, 'held.json')
    run = spawn('npm', ['exec', '--no', '--', 'vitest', 'run', '--config', 'test/hygiene/held.config.ts'], {
      cwd: ROOT,
      env: { ...process.env, HELD_FILE: file },
      // A group of its own, as in a terminal.
      detached: true,
      stdio: 'ignore',
    })
    const text = await until(() => (existsSync(file) && readFileSync(file, 'utf8')) || undefined)
    held = JSON.parse(text)
  }, PATIENCE_MS)

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const pidOf = (): number => {
    if (run.pid === undefined) throw new Error('npm did not start')
    return run.pid
  }

  const endings: readonly (readonly [string, () => void])[] = [
    ['Ctrl-C', () => process.kill(-pidOf(), 'SIGINT')],
    ['kill -9 of npm', () => process.kill(pidOf(), 'SIGKILL')],
    [
      'kill -9 of the runner itself',
      () => {
        const below = new Set(descendants(pidOf()))
        const runner = processTable().find(
          ({ pid, command }) => below.has(pid) && /vitest/.test(command) && !processesOf(held.run).includes(pid),
        )?.pid
        if (runner === undefined) throw new Error('no runner')
        process.kill(runner, 'SIGKILL')
      },
    ],
  ]

  it.each(endings)(
    'leaves no world, chain, Postgres or browser running after %s',
    async (_, end) => {
      const started = processesOf(held.run)
      expect(started.length).toBeGreaterThan(2)
      const all = [...started, ...descendants(pidOf())]
      end()
      await until(() => (processesOf(held.run).length === 0 ? true : undefined))
      await until(() => (areGone(all) ? true : undefined))
      await until(() => (existsSync(held.files) ? undefined : true))
      await expect(fetch(held.address)).rejects.toThrow()
    },
    PATIENCE_MS * 2,
  )
})

const areGone = (pids: readonly number[]): boolean =>
  !processTable().some(({ pid, isEnded }) => pids.includes(pid) && !isEnded)
