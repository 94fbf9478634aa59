// Removes from dist/ what no source gives any more: the compiler never deletes, and a renamed file would be packed twice.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const ENDINGS = ['.ts', '.tsx', '.mjs']

/**
 * Whether a built file has a source that is still built: tests are not.
 *
 * @param {string} file under dist/
 */
function hasSource(file) {
  const name = file.replace(/\.map$/, '').replace(/(\.d\.ts|\.js|\.mjs)$/, '')
  if (/\.test$/.test(name)) return false
  return ENDINGS.some((ending) => existsSync(`${root}${name}${ending}`))
}

const dist = `${root}dist`
const built = existsSync(dist) ? readdirSync(dist, { recursive: true, withFileTypes: true }) : []
for (const entry of built) {
  const path = `${entry.parentPath}/${entry.name}`
  // Their own step writes them whole.
  if ([`${dist}/program`, `${dist}/joined`].includes(entry.parentPath)) continue
  if (entry.isFile() && !hasSource(path.slice(dist.length + 1))) rmSync(path, { force: true })
}
