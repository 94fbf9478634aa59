import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSizes } from '../../scripts/package-size.ts'
import { temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, type Ended, ended, listening } from '../support/program.ts'
import { type Installed, install, npmEnvironment, packAndInstall } from './install.ts'
import { PROJECT, readVersion } from './lock.ts'

describe('the package', () => {
  const folder = temporaryFolder()
  let installed: Installed
  let client: Installed

  // Packs, and installs what the lock file names: more than a hundred packages, from loopback.
  beforeAll(async () => {
    installed = await packAndInstall(folder)
    client = await install(folder, installed.packed, 'client')
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000)

  const run = (words: readonly string[]): Promise<Ended> =>
    ended(spawn(process.execPath, words, { cwd: installed.project, env: npmEnvironment(folder) }))

  it('holds the program, its client and its documents, and nothing that only tests use', () => {
    const files = installed.packed.files.map(({ path }) => path)
    for (const file of ['bin/tollbook.js', 'dist/src/client/index.d.ts', 'docs/operating.md', 'README.md', 'LICENSE']) {
      expect(files).toContain(file)
    }
    const strange = files.filter((file) => !/^(bin|dist\/(program|src)|docs|deploy)\/|^[^/]+$/.test(file))
    expect(strange).toEqual([])
    const unused = /\.test\.|\/(testing|test|sandbox|bench|screenshots)\/|sample|\.map$/
    expect(files.filter((file) => unused.test(file))).toEqual([])
  })

  it('has every file of the program that one of its files imports', () => {
    const files = installed.packed.files.map(({ path }) => path).filter((path) => /^(bin|dist)\/.*\.m?js$/.test(path))
    const missing = files.flatMap((file) => {
      const text = readFileSync(join(installed.project, 'node_modules/tollbook', file), 'utf8')
      const targets = text.matchAll(
        /^(?:import|export) (?:[^'"\n]* from )?['"](\.[^'"]+)['"]|await import\(['"](\.[^'"]+)['"]\)|new URL\(['"](\.[^'"]+\.m?js)['"], import\.meta\.url\)/gm,
      )
      return [...targets]
        .map(([, ...found]) => join(file, '..', found.find((one) => one !== undefined) ?? ''))
        .filter((to) => !files.includes(to))
    })
    expect(missing).toEqual([])
  })

  it('is as large as the document says', () => {
    const page = readFileSync(join(PROJECT, 'docs/dependencies.md'), 'utf8')
    expect(page, 'run node dist/scripts/package-size.js').toBe(withSizes(page, installed, client))
  })

  it('runs by npx in an empty project, and calls itself so', async () => {
    const npx = (...words: string[]): Promise<Ended> =>
      ended(
        spawn('npx', ['--no-install', 'tollbook', ...words], { cwd: installed.project, env: npmEnvironment(folder) }),
      )
    expect(await npx('--version')).toEqual({ code: 0, out: `${readVersion()}\n`, err: '' })
    expect((await npx('serve', '--help')).out).toContain('\nExample\n  npx tollbook serve')
  })

  it('serves a directory, which its client reads', async () => {
    const data = { DATA_DIR: join(folder, 'data'), PORT: '0', SOURCES: 'none', LOG_LEVEL: 'warn' }
    const command = join(installed.project, 'node_modules/tollbook/bin/tollbook.js')
    const words = [command, 'serve', '--roles', 'web']
    const web = await listening(spawn(process.execPath, words, { cwd: installed.project, env: cleanEnvironment(data) }))
    for (const path of ['/healthz', '/readyz', '/', '/llms.txt', '/openapi.json']) {
      const answer = await fetch(`${web.address}${path}`)
      expect([path, answer.status]).toEqual([path, 200])
      await answer.text()
    }
    const program = `import { createClient } from 'tollbook/client'
import { x402Payer } from 'tollbook/client/x402'
import { mppPayer } from 'tollbook/client/mpp'
import { createGuard } from 'tollbook/guard'
const { hosts } = await createClient({ baseUrl: '${web.address}' }).hosts()
console.log(JSON.stringify([hosts, typeof x402Payer, typeof mppPayer, typeof createGuard]))
`
    writeFileSync(join(installed.project, 'program.mjs'), program)
    expect(await run(['program.mjs'])).toEqual({ code: 0, out: '[[],"function","function","function"]\n', err: '' })
    expect(await web.stop()).toMatchObject({ code: 0, err: '' })
  })

  it('is installed for its client alone, and says in one line what a directory needs on top', async () => {
    const program = `import { createClient } from 'tollbook/client'
import { x402Payer } from 'tollbook/client/x402'
import { mppPayer } from 'tollbook/client/mpp'
import { createGuard } from 'tollbook/guard'
console.log([createClient, x402Payer, mppPayer, createGuard].map((one) => typeof one).join())
`
    writeFileSync(join(client.project, 'program.mjs'), program)
    const inClient = (...words: string[]): Promise<Ended> =>
      ended(spawn(process.execPath, words, { cwd: client.project, env: npmEnvironment(folder) }))
    expect(await inClient('program.mjs')).toMatchObject({ code: 0, out: 'function,function,function,function\n' })
    expect(await inClient('node_modules/tollbook/bin/tollbook.js', 'serve')).toEqual({
      ...{ code: 1, out: '' },
      err: 'tollbook: the package pino is not installed (run npm install --include=optional)\n',
    })
  })

  it('gives its client types that hold', async () => {
    const program = `import { createClient, type HostDocument } from 'tollbook/client'
import { createGuard } from 'tollbook/guard'
const client = createClient({ baseUrl: 'https://tollbook.example' })
export const view: Promise<HostDocument> = client.host('api.example.com')
// @ts-expect-error a host has a name
export const wrong = client.host(402)
const guard = createGuard({ directory: 'https://tollbook.example' })
// @ts-expect-error a rail has a name
export const unnamed = guard.ask({ url: '', rail: 402, offer: { price: null, network: null } })
`
    writeFileSync(join(installed.project, 'program.ts'), program)
    const words = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', '--types', '', 'program.ts']
    expect(await run([join(PROJECT, 'node_modules/typescript/bin/tsc'), ...words])).toEqual({
      code: 0,
      out: '',
      err: '',
    })
  })

  describe('without its native parts', () => {
    beforeAll(() => {
      for (const place of ['@photostructure/sqlite', 'secp256k1'])
        for (const native of ['prebuilds', 'build'])
          rmSync(join(installed.project, 'node_modules', place, native), { recursive: true, force: true })
    })

    const tollbook = (...words: string[]): Promise<Ended> => {
      const env = { DATA_DIR: join(folder, 'second'), SOURCES: 'none', PROBE_CHECK: 'none' }
      const command = join(installed.project, 'node_modules/tollbook/bin/tollbook.js')
      return ended(spawn(process.execPath, [command, ...words], { cwd: folder, env: cleanEnvironment(env) }))
    }

    it('finds the same signers in WebAssembly, and the doctor says so', async () => {
      const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)
      const signature = await account.signMessage({ message: 'As listed.' })
      const program = `import { recoverKey } from './node_modules/tollbook/dist/src/wire/recovery/recover-key.mjs'
const [digest, signature] = ['${hashMessage('As listed.').slice(2)}', '${signature.slice(2, 130)}'].map((hex) => Buffer.from(hex, 'hex'))
console.log(Buffer.from(recoverKey(digest, signature, ${Number.parseInt(signature.slice(130), 16) - 27})).toString('hex'))
`
      writeFileSync(join(installed.project, 'signer.mjs'), program)
      expect(await run(['signer.mjs'])).toEqual({ code: 0, out: `${account.publicKey.slice(2)}\n`, err: '' })
      const doctor = await tollbook('doctor')
      expect(doctor.out).toMatch(/^ok {4}signatures +checked in WebAssembly, a third as fast as native code$/m)
      expect(doctor.out).toMatch(/(nothing in the way|\d to put right.*)\.\n$/i)
    })

    it('calls no signature wrong where WebAssembly is missing too, and the doctor says that it is', async () => {
      rmSync(join(installed.project, 'node_modules/tiny-secp256k1'), { recursive: true })
      expect(await run(['signer.mjs'])).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining("Cannot find module 'tiny-secp256k1'"),
      })
      expect((await tollbook('doctor')).out).toMatch(
        /^FAIL {2}signatures +the packages that check them are not installed$/m,
      )
    })

    it('stores with the SQLite of a newer Node, and says in one line what to do on an older one', async () => {
      const hasBuiltIn = process.getBuiltinModule('node:sqlite') !== undefined
      const stored = { code: 0, out: expect.stringMatching(/^Schema version \d+ \(sqlite\)\.\n$/) }
      const told = {
        code: 1,
        out: '',
        err: `tollbook: the native part of SQLite is missing for ${process.platform}-${process.arch} (run npm rebuild @photostructure/sqlite, or use Node 22.16 or newer, which has SQLite built in)\n`,
      }
      expect(await tollbook('migrate')).toMatchObject(hasBuiltIn ? stored : told)
    })
  })
})
