// Joins the built program and the packages it uses into a few files: a start reads these instead of two thousand.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const dir = `${root}dist/program`

/** They bring native parts, WebAssembly or threads of their own, and find them beside their own files. */
const APART = ['@photostructure/sqlite', 'secp256k1', 'tiny-secp256k1', 'pg', 'pino']

/** @param {string} id */
const isApart = (id) => APART.some((name) => id === name || id.startsWith(`${name}/`))

/** Threads are started from files: these stay where they are. */
const filesOfThreads = {
  name: 'files-of-threads',
  /** @param {string} id @param {string | undefined} importer */
  resolveId: (id, importer) =>
    importer?.startsWith(`${root}dist/src/`) && id.endsWith('.mjs')
      ? { id: relative(dir, join(dirname(importer), id)), external: true }
      : null,
}

/** Whoever passes the program on passes these on with it. */
const LICENCES = 'LICENCES.txt'

/**
 * @param {readonly string[]} files that were joined
 * @returns {string} the licence of every package among them
 */
function licencesOf(files) {
  const folders = files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

// What could not be made must not be taken for what was made before.
const before = existsSync(dir) ? readdirSync(dir) : []
process.once('uncaughtException', (error) => {
  rmSync(dir, { recursive: true, force: true })
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})

const bundle = await rolldown({
  input: `${root}dist/src/main/tollbook.js`,
  platform: 'node',
  external: isApart,
  plugins: [filesOfThreads],
  logLevel: 'warn',
})
// Names without hashes: what is running finds its parts again after the next build.
const { output } = await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
writeFileSync(`${dir}/${LICENCES}`, licencesOf(output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))))
const written = new Set([LICENCES, ...output.map(({ fileName }) => fileName)])
for (const name of before) if (!written.has(name)) rmSync(`${dir}/${name}`, { recursive: true })
