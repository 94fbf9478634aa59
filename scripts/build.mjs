// Builds dist/: what the compiler makes of every source, the client's types, and the program in a few files. Whether all
// types fit is for `npm run types` to say, which takes several times as long. What is built of the very same sources
// stays as it is: `rm -r dist` makes it anew all the same.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const TSC = 'node_modules/typescript/bin/tsc'
const STEPS = [
  // Takes the mark of what was built away, too.
  ['scripts/prune-build.mjs'],
  [TSC, '-p', 'tsconfig.build.json'],
  [TSC, '-p', 'tsconfig.client.json'],
  ['scripts/bundle-program.mjs'],
]
const SOURCES = ['bench', 'drills', 'sandbox', 'scripts', 'src', 'test']
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.client.json']
const MARK = join(root, 'dist/.built-of')

/** The hash of everything that decides what is built. */
function sourcesHash() {
  const hash = createHash('sha256').update(process.version)
  const files = SOURCES.flatMap((folder) => (existsSync(join(root, folder)) ? filesIn(folder) : []))
  for (const file of [...SETTINGS, ...files].sort()) {
    const content = existsSync(join(root, file)) ? readFileSync(join(root, file)) : ''
    hash.update(`\n${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** @param {string} folder of the root */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

const hash = sourcesHash()
const isBuilt = existsSync(MARK) && readFileSync(MARK, 'utf8') === hash
for (const step of isBuilt ? [] : STEPS) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
if (process.exitCode === undefined) writeFileSync(MARK, hash)
