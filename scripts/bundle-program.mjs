// Joins what is built and the packages it uses into a few files: a start reads these instead of two thousand.
// dist/program is the program that is installed; dist/joined what only a checkout starts: the sandbox, drills, and programs
// that tests start to kill them.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** By the name of the joined file. */
const STARTED = {
  sandbox: 'sandbox/start.js',
  worker: 'sandbox/chain/node/worker.js',
  'sending-child': 'sandbox/chain/testing/sending-child.js',
  drill: 'drills/run.js',
  crowd: 'drills/children/crowd.js',
  'log-writer': 'drills/children/log-writer.js',
  'crash-child': 'test/crash/child.js',
  'crash-seller-child': 'test/crash/seller-child.js',
  'ledger-child': 'test/payments/ledger-child.js',
  'probe-child': 'test/probe/child.js',
}

/** They bring native parts, WebAssembly or threads of their own, and find them beside their own files. */
const APART = ['@photostructure/sqlite', 'secp256k1', 'tiny-secp256k1', 'pg', 'pino']

/** @param {string} id */
const isApart = (id) => APART.some((name) => id === name || id.startsWith(`${name}/`))

/** Threads are started from files, and the verifier looks whether it was: these stay where they are.
 * @param {string} dir of what is joined */
const filesOfThreads = (dir) => ({
  name: 'files-of-threads',
  /** @param {string} id @param {string | undefined} importer */
  resolveId: (id, importer) =>
    importer?.startsWith(`${root}dist/`) && /^\..*\.mjs$/.test(id)
      ? { id: relative(dir, join(dirname(importer), id)), external: true }
      : null,
})

const NOTHING = '\0nothing'

/**
 * The package for metrics loads two others, for traces and for summaries, of which nothing is made here. They are more than
 * half of what a server would read of it at every start. Whoever makes a summary is told that its class is missing.
 */
const withoutTraces = {
  name: 'without-traces',
  /** @param {string} id */
  resolveId: (id) => (/^(?:@opentelemetry\/api|tdigest)$/.test(id) ? NOTHING : null),
  /** @param {string} id */
  load: (id) => (id === NOTHING ? 'module.exports = {}' : null),
}

/** What so many parts of the program need is one file: a file of its own takes a start a millisecond. */
const NEEDED_BY_MOST = 10

/** Large, and of much use only to those who pay.
 * @param {string} id */
const isForAll = (id) => !/\/node_modules\/(?:viem|ox|abitype|@noble)\//.test(id)

/**
 * Two files that are more than their parts: what is read before it is known what was called, and what most commands need.
 * @param {string} start
 */
function fewFiles(start) {
  /** @type {Map<string, readonly string[]>} */
  const imports = new Map()
  /** @type {Set<string> | undefined} */
  let first
  /** @param {string} id @param {Set<string>} found */
  const follow = (id, found) => {
    if (found.has(id)) return found
    found.add(id)
    for (const imported of imports.get(id) ?? []) follow(imported, found)
    return found
  }
  /** @param {string} id */
  const isFirst = (id) => {
    first ??= follow(start, new Set())
    return first.has(id)
  }
  return {
    plugin: {
      name: 'imports',
      /** @param {import('rolldown').ModuleInfo} module */
      moduleParsed: ({ id, importedIds }) => {
        imports.set(id, importedIds)
      },
    },
    groups: [
      { name: 'start', priority: 2, test: isFirst },
      { name: 'common', priority: 1, minShareCount: NEEDED_BY_MOST, test: isForAll },
    ],
  }
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

/**
 * @param {string} dir
 * @param {Record<string, string>} input files by the names that they get
 * @param {ReturnType<typeof fewFiles>} [few]
 * @param {(files: readonly string[]) => Record<string, string>} beside more files, of those that were joined
 */
async function joinInto(dir, input, few, beside = () => ({})) {
  const before = existsSync(dir) ? readdirSync(dir) : []
  // What could not be made must not be taken for what was made before.
  const undo = () => rmSync(dir, { recursive: true, force: true })
  process.once('exit', undo)
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: isApart,
    plugins: [filesOfThreads(dir), withoutTraces, few?.plugin],
    // The form of which only what is used is taken: one hash of some thirty.
    resolve: { alias: { 'hash-wasm': `${root}node_modules/hash-wasm/dist/index.esm.js` } },
    logLevel: 'warn',
  })
  // Names without hashes: what is running finds its parts again after the next build.
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js' }
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    ...names,
    codeSplitting: few ? { groups: few.groups } : true,
  })
  const more = beside(output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])))
  for (const [name, text] of Object.entries(more)) writeFileSync(`${dir}/${name}`, text)
  const written = new Set([...Object.keys(more), ...output.map(({ fileName }) => fileName)])
  for (const name of before) if (!written.has(name)) rmSync(`${dir}/${name}`, { recursive: true })
  process.off('exit', undo)
}

const built = `${root}dist/`
const start = `${built}src/main/tollbook.js`
await joinInto(`${built}program`, { tollbook: start }, fewFiles(start), (files) => ({ [LICENCES]: licencesOf(files) }))
// A copy of some of the checkout has few of them, or none.
const there = Object.entries(STARTED).filter(([, file]) => existsSync(built + file))
if (there.length > 0)
  await joinInto(`${built}joined`, Object.fromEntries(there.map(([name, file]) => [name, built + file])))
