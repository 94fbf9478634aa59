import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  consistencyProof,
  formatAddCheckpoint,
  formatProof,
  inclusionProof,
  newCosigner,
  newSigner,
  parseNote,
  signatureLine,
  utf8,
} from '../../src/log/tlog/index.ts'
import { SmallLog, someEntries } from '../../src/log/tlog/testing/small-log.ts'
import { said } from '../support/debian.ts'
import { temporaryFolder } from '../support/engines.ts'

/** Where Debian's golang-golang-x-mod-dev puts Go's packages for notes and trees. */
const PACKAGES = '/usr/share/gocode'
const isThere = said('go', ['version']) !== undefined && existsSync(join(PACKAGES, 'src/golang.org/x/mod/sumdb/tlog'))
if (!isThere) process.stderr.write('No Go: logs are not read by it. Install golang-go and golang-golang-x-mod-dev.\n')

const SIZES = [1, 2, 3, 100, 255, 256, 257, 700]
const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

describe.runIf(isThere)("Go's own packages", () => {
  let folder: string
  let log: SmallLog

  beforeAll(async () => {
    folder = temporaryFolder()
    log = new SmallLog(await newSigner(seed(1), 'log.example/log'))
    const witness = await newCosigner(seed(2), 'witness.example')
    log.files.set('witness-vkey', utf8(`${witness.vkey}\n`))
    for (const size of SIZES) {
      const before = log.entries.length
      const signed = await log.append(someEntries(size - before, before))
      const note = signed + signatureLine(await witness.cosign(parseNote(signed).text, 1_700_000_000))
      log.files.set('checkpoint', utf8(note))
      log.files.set(`checkpoints/${size}`, utf8(note))
      const index = Math.floor(size / 3)
      const hashes = await inclusionProof(log.readTile, index, size)
      log.files.set(`proofs/inclusion-${index}-${size}`, utf8(formatProof({ index, hashes, checkpoint: note })))
      if (before === 0) continue
      const proof = await consistencyProof(log.readTile, before, size)
      const request = formatAddCheckpoint({ oldSize: before, proof, checkpoint: note })
      log.files.set(`proofs/consistency-${before}-${size}`, utf8(request))
    }
    for (const [path, bytes] of log.files) keep(path, bytes)
    const env = ['GO111MODULE=off', `GOPATH=${PACKAGES}`, `GOCACHE=${join(folder, 'cache')}`]
    const source = join(import.meta.dirname, 'read_log.go')
    expect(said('env', [...env, 'go', 'build', '-o', join(folder, 'read-log'), source])).toBe('')
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const keep = (path: string, bytes: Uint8Array): void => {
    const file = join(folder, 'log', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  const reading = (): string | undefined => said(join(folder, 'read-log'), [join(folder, 'log')])

  it('read a log of ours: checkpoints, cosignatures, every entry and every proof', () => {
    expect(reading()).toBe(`Go agrees: 700 entries, ${2 * SIZES.length - 1} proofs\n`)
  })

  it.each([
    'checkpoint',
    'tile/0/001',
    'tile/1/000.p/2',
    'tile/entries/000',
    'proofs/consistency-257-700',
    'checkpoints/256',
  ])('do not agree when a bit of %s is another', (path) => {
    const bytes = log.files.get(path) ?? seed(0)
    keep(
      path,
      bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
    )
    expect(reading()).toBeUndefined()
    keep(path, bytes)
    expect(reading()).toMatch(/^Go agrees/)
  })
})
