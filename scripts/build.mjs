// Builds dist/: what the compiler makes of every source, the client's types, and the program in a few files. All of it is
// made even where a type does not fit; the exit code says so.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const TSC = 'node_modules/typescript/bin/tsc'
const STEPS = [
  ['scripts/prune-build.mjs'],
  [TSC, '-p', 'tsconfig.build.json'],
  [TSC, '-p', 'tsconfig.client.json'],
  ['scripts/bundle-program.mjs'],
]

for (const step of STEPS) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
