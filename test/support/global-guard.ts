import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { processTable } from './process-table.ts'
import { RUN } from './run-guard.mjs'

/** Whatever this run starts ends with it: Postgres, worlds, browsers, and what they start. */
export default function setup(): () => void {
  const name = randomUUID()
  const { [RUN]: _, ...env } = process.env
  const script = fileURLToPath(new URL('./run-guard.mjs', import.meta.url))
  const guard = spawn(process.execPath, [script, name, String(process.pid), ...above().map(String)], {
    env,
    // Out of reach of a Ctrl-C, which is for the run.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  process.env[RUN] = name
  return () => void guard.stdin.end()
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
