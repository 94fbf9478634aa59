// Builds dist/: every source as Node runs it, the client's types, and the program in a few files. Whether all types fit is
// for `npm run types` to say, which takes many times as long. What is built of the very same sources stays as it is:
// `rm -r dist` makes it anew all the same.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['bench', 'drills', 'sandbox', 'scripts', 'src', 'test']
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.client.json']
/** Strangers are asked to read it before they run it: it is served as it is written. */
const AS_WRITTEN = 'src/log/verify.mjs'
const MARK = join(root, 'dist/.built-of')

/** The hash of everything that decides what is built. @param {readonly string[]} files */
function hashOf(files) {
  const hash = createHash('sha256').update(process.version)
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

/**
 * One file for each: types taken away, markup made calls, and imports named as what is built.
 *
 * @param {readonly string[]} files
 */
async function transpile(files) {
  const { transformSync } = await import('rolldown/utils')
  for (const file of files) {
    const built = join(root, 'dist', file.replace(/\.tsx?$/, '.js'))
    mkdirSync(dirname(built), { recursive: true })
    if (file === AS_WRITTEN) {
      copyFileSync(join(root, file), built)
      continue
    }
    const { code, map, errors } = transformSync(file, readFileSync(join(root, file), 'utf8'), {
      target: 'es2023',
      sourcemap: true,
      typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
      jsx: { runtime: 'automatic', importSource: '#jsx' },
    })
    for (const { message } of errors) process.stderr.write(`${file}: ${message}\n`)
    if (errors.length > 0) process.exit(1)
    writeFileSync(built, `${code}//# sourceMappingURL=${basename(built)}.map\n`)
    const sources = [relative(dirname(built), join(root, file))]
    writeFileSync(`${built}.map`, JSON.stringify({ ...map, file: basename(built), sources }))
  }
}

/** @param {readonly string[]} words */
function run(...words) {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

const files = SOURCES.flatMap((folder) => (existsSync(join(root, folder)) ? filesIn(folder) : []))
const hash = hashOf(files)
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== hash) {
  // Takes the mark of what was built away, too.
  run('scripts/prune-build.mjs')
  await transpile(files)
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.client.json', '--singleThreaded')
  run('scripts/bundle-program.mjs')
  writeFileSync(MARK, hash)
}
