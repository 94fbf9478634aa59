// The thread of a chain under test: the one that was built, unless a source of the chain has changed since.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'

const built = new URL('../../../dist/joined/worker.js', import.meta.url)
const sources = fileURLToPath(new URL('..', import.meta.url))

/** @param {string | URL} file */
const changedMs = (file) => statSync(file).mtimeMs

if (
  existsSync(built) &&
  readdirSync(sources, { recursive: true }).every((file) => changedMs(sources + file) < changedMs(built))
)
  await import(built.href)
else {
  register('./typescript-hook.mjs', import.meta.url)
  await import('../node/worker.ts')
}
