import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { chromiumPath, openBrowser } from '../browser/chromium.ts'
import { cleanEnvironment, joined, listening } from '../support/program.ts'
import { RUN } from '../support/run-guard.mjs'

// Not one of the suite's tests: what `left-running.test.ts` interrupts. It has everything open that tests ever open.
it('holds a world, a browser and a Postgres until it is ended', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-held-'))
  const env = cleanEnvironment({ PORT: '0', DATA_DIR: folder })
  const starting = spawn(process.execPath, [joined('sandbox')], { cwd: folder, env })
  // Chains, sellers and the directory run by then; what is done with them starts nothing more.
  const world = await listening(starting, /✓ The directory: (http:\S+)/)
  const path = chromiumPath()
  const browser = path && (await openBrowser(path))
  expect(inject('databaseUrl')).toContain('postgres://')
  const hasBrowser = browser !== undefined
  const held = { run: process.env[RUN], address: world.address, files: process.env.TMPDIR, hasBrowser }
  writeFileSync(process.env.HELD_FILE ?? '', JSON.stringify(held))
  await new Promise(() => undefined)
})
