import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KEPT } from './debian.ts'
import { processTable } from './process-table.ts'
import { RUN } from './run-guard.mjs'

/** A disk in memory, where there is one: what tests wait for on a real one is a seventh of their time (measured). */
const MEMORY_DISK = '/dev/shm'
/** Several times what a run needs. */
const ROOM_BYTES = 8 * 1024 ** 3

/** Whatever this run starts ends with it: Postgres, worlds, browsers, and what they start. So do the files they leave. */
export default function setup(): () => void {
  const name = randomUUID()
  const { [RUN]: _, ...env } = process.env
  const script = fileURLToPath(new URL('./run-guard.mjs', import.meta.url))
  const folder = mkdtempSync(join(hasRoom() ? MEMORY_DISK : tmpdir(), 'tollbook-run-'))
  // Postgres is run by nobody.
  chmodSync(folder, 0o755)
  const guard = spawn(process.execPath, [script, name, folder, String(process.pid), ...above().map(String)], {
    env,
    // Out of reach of a Ctrl-C, which is for the run.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  process.env[RUN] = name
  process.env[KEPT] ??= tmpdir()
  process.env.TMPDIR = folder
  return () => void guard.stdin.end()
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    return Math.min(bavail * bsize, freemem()) >= ROOM_BYTES
  } catch {
    return false
  }
}

/** The processes up to npm, when npm started the run: a killed npm leaves its shell and this one running. */
function above(): number[] {
  const all = new Map(processTable().map((each) => [each.pid, each]))
  const chain: number[] = []
  for (let each = all.get(process.ppid); each !== undefined; each = all.get(each.parent)) {
    chain.push(each.pid)
    if (/\bnpm\b/.test(each.command)) return chain
  }
  return []
}
