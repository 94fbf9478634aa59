import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedLog, serveLog } from './testing/static-log.ts'
import { newCosigner } from './tlog/cosignature.ts'
import { parseNote, signatureLine, textOf, utf8 } from './tlog/index.ts'
import { newSigner } from './tlog/note-key.ts'
import { SmallLog, someEntries } from './tlog/testing/small-log.ts'
import { verify, Wrong } from './verify.mjs'

const FILE = fileURLToPath(new URL('./verify.mjs', import.meta.url))
const SIZE = 600
const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

let log: SmallLog
let served: ServedLog
beforeAll(async () => {
  log = new SmallLog(await newSigner(seed(1), 'log.example/log'))
  await log.append(someEntries(SIZE))
  served = await serveLog(log)
})
afterAll(() => served.close())

/** What the command prints, and how it ends. */
const run = (...words: readonly string[]) => runNode([FILE, ...words])

/** With `piped`, what stands on its standard input. */
async function runNode(words: readonly string[], piped = '') {
  try {
    const running = promisify(execFile)(process.execPath, words)
    running.child.stdin?.end(piped)
    const { stdout, stderr } = await running
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'stderr' in error)) throw error
    return { code: error.code, out: '', err: String(error.stderr) }
  }
}

/** What is said when a file of the log is another while it is looked at. */
async function faultWith(path: string, bytes: Uint8Array | undefined, index?: number): Promise<string | undefined> {
  const before = log.files.get(path)
  if (bytes === undefined) log.files.delete(path)
  else log.files.set(path, bytes)
  try {
    await verify(served.address, index === undefined ? {} : { index })
    return undefined
  } catch (error) {
    return error instanceof Error ? `${error instanceof Wrong ? 'WRONG' : 'not checked'}: ${error.message}` : 'thrown'
  } finally {
    if (before !== undefined) log.files.set(path, before)
  }
}

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, at) => (at === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte))

/** The files that the newest tree is made of. */
const current = (): [string, Uint8Array][] => [...log.files]

describe('the verifier in one file', () => {
  it('is one file of fewer than 300 lines that imports nothing', () => {
    const text = readFileSync(FILE, 'utf8')
    expect(text.split('\n').length).toBeLessThanOrEqual(300)
    expect(text).not.toMatch(/^import |\bimport\(|require\(/m)
  })

  it('finds that a whole log holds, and says how large it is', async () => {
    const { code, out, err } = await run(served.address)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`log.example/log: ${SIZE} entries, root ${Buffer.from(log.root).toString('base64')}\n`)
    expect(out).toContain("which is the server's own word")
    expect(out).toContain('Every entry and every tile leads to this root.')
  })

  it.each([0, 255, 256, 511, 512, SIZE - 1])('shows entry %i and that it is in the log', async (index) => {
    const lines: string[] = []
    const { entry, size } = await verify(`${served.address}/`, { index, say: (line) => lines.push(line) })
    expect(size).toBe(SIZE)
    expect(entry).toEqual(log.entries[index])
    expect(lines.slice(-2)).toEqual([`Entry ${index} is in the log:`, textOf(log.entries[index] ?? seed(0))])
  })

  it.each([0, 1, 2, 255, 256, 257, 512, 513])('holds for a log of %i entries', async (size) => {
    const other = new SmallLog(log.signer)
    await other.append(someEntries(size))
    const place = await serveLog(other)
    try {
      expect(await verify(place.address)).toMatchObject({ size, root: other.root })
      if (size > 0) expect((await verify(place.address, { index: size - 1 })).entry).toEqual(other.entries.at(-1))
      await expect(verify(place.address, { index: size })).rejects.toThrow(`entry ${size}: the log has ${size} entries`)
    } finally {
      await place.close()
    }
  })

  it('catches any bit that is another, in whatever file it is, and says where', async () => {
    expect(current().map(([path]) => path)).toContain('tile/1/000.p/2')
    for (const [path, bytes] of current()) {
      const bits = bytes.length * 8
      for (let round = 0; round < 24; round++) {
        const bit = round < 8 ? bits - 1 - round : Math.floor((round * bits) / 24)
        const fault = await faultWith(path, flipped(bytes, bit))
        expect(fault, `${path}, bit ${bit}`).toMatch(/^WRONG: (?:entry \d+|tile\/\S+|checkpoint|vkey|not Base 64)/)
        const [, index] = /^tile\/(?:entries|0)\/(\d{3})/.exec(path) ?? []
        if (index !== undefined) expect(fault, path).toMatch(new RegExp(`entry|${index}`))
      }
    }
  }, 120_000)

  it('catches what is left out, put in, cut off and exchanged', async () => {
    const bundle = log.files.get('tile/entries/000') ?? seed(0)
    const second = log.files.get('tile/entries/001') ?? seed(0)
    const tile = log.files.get('tile/0/001') ?? seed(0)
    const WHOLE = 'WRONG: tile/entries/000: not 256 whole entries'
    expect(await faultWith('tile/entries/000', bundle.subarray(0, -1))).toBe(WHOLE)
    expect(await faultWith('tile/entries/000', new Uint8Array([...bundle, 0, 0]))).toBe(WHOLE)
    expect(await faultWith('tile/entries/000', second)).toBe('WRONG: entry 0: its hash is not in tile/0/000')
    expect(await faultWith('tile/0/001', tile.subarray(32))).toBe('WRONG: tile/0/001: 8160 bytes, not 8192')
    expect(await faultWith('tile/0/001', new Uint8Array([...tile, 0]))).toMatch(/more than 8192 bytes$/)
    expect(await faultWith('tile/0/002.p/88', undefined)).toMatch(/^not checked: .*answers 404$/)
    const LONG = /^not checked: .*entries\/000 answers 404: one of its entries may be too long to be served$/
    expect(await faultWith('tile/entries/000', undefined)).toMatch(LONG)
    const turned = tile.map((_, at) => tile[at ^ 32] ?? 0)
    expect(await faultWith('tile/0/001', turned)).toBe('WRONG: entry 256: its hash is not in tile/0/001')
    expect(await faultWith('tile/0/001', turned, 300)).toBe('WRONG: entry 300: its hash is not in tile/0/001')
  })

  it('is not led astray by another tree that fits together, nor by one that only fits around the entry', async () => {
    const other = new SmallLog(log.signer)
    await other.append(someEntries(SIZE, 1))
    const mine = new Map(log.files)
    for (const [path, bytes] of other.files) if (path !== 'checkpoint') log.files.set(path, bytes)
    await expect(verify(served.address)).rejects.toThrow(/^checkpoint: its root is not /)
    await expect(verify(served.address, { index: 7 })).rejects.toThrow(/^checkpoint: its root is not /)
    for (const [path, bytes] of mine) log.files.set(path, bytes)
    const upper = other.files.get('tile/1/000.p/2')
    expect(await faultWith('tile/1/000.p/2', upper, 7)).toBe('WRONG: tile/0/000: its hash is not in tile/1/000.p/2')
  })

  it('believes a key of yours more than the one that the server names, and asks for witnesses', async () => {
    const witness = await newCosigner(seed(2), 'witness.example')
    const thief = await newSigner(seed(3), 'log.example/log')
    const note = textOf(log.files.get('checkpoint') ?? seed(0))
    const cosignature = signatureLine(await witness.cosign(parseNote(note).text, 1_700_000_000))
    log.files.set('checkpoint', utf8(note + cosignature))
    const { code, out } = await run(served.address, '5', log.signer.vkey, witness.vkey)
    expect(code).toBe(0)
    expect(out).toContain(`Signed by witness.example+${witness.id}, as you asked.`)
    expect(out).toContain('"entry":5')
    expect(await run(served.address, thief.vkey)).toMatchObject({ code: 1, err: expect.stringContaining(thief.id) })
    log.files.set('checkpoint', utf8(note))
    const without = await run(served.address, witness.vkey)
    expect(without).toEqual({
      code: 1,
      out: '',
      err: `WRONG: checkpoint: witness.example+${witness.id} has not signed it\n`,
    })
  })

  describe('under any name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'verify-'))
    const program = readFileSync(FILE, 'utf8')
    afterAll(() => rmSync(folder, { recursive: true }))
    const copied = (name: string): string => {
      copyFileSync(FILE, join(folder, name))
      return join(folder, name)
    }
    const linked = (name: string): string => {
      symlinkSync(FILE, join(folder, name))
      return join(folder, name)
    }
    const packed = (): string => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ main: basename(copied('main.mjs')) }))
      return folder
    }

    it.each([
      ['v.mjs', () => [copied('v.mjs')]],
      ['verify (1).mjs', () => [copied('verify (1).mjs')]],
      ['a link', () => [linked('check')]],
      ['a link that stays one', () => ['--preserve-symlinks-main', linked('kept.mjs')]],
      ['a package', () => [packed()]],
      ['a pipe', () => ['--input-type=module', '-']],
      ['-e', () => ['--input-type=module', '-e', program]],
    ])('checks as %s, and ends with 1 or 2 when it does not hold or was not checked', async (name, words) => {
      const called = words()
      const piped = name === 'a pipe' ? program : ''
      const held = await runNode([...called, served.address], piped)
      expect(held).toMatchObject({ code: 0, err: '' })
      expect(held.out).toContain('Every entry and every tile leads to this root.')
      expect(await runNode([...called, served.address, '600'], piped)).toMatchObject({ code: 1 })
      expect(await runNode(called, piped)).toMatchObject({ code: 2, err: expect.stringContaining('usage:') })
    })

    it('says how it is called when it comes through a pipe without a word', async () => {
      expect(await runNode(['--input-type=module'], program)).toMatchObject({
        code: 2,
        err: expect.stringContaining('usage:'),
      })
    })

    it('stays silent as a part of another program', async () => {
      writeFileSync(
        join(folder, 'other.mjs'),
        `import { verify } from ${JSON.stringify(FILE)}\nconsole.log(typeof verify)`,
      )
      expect(await runNode([join(folder, 'other.mjs'), 'word'])).toEqual({ code: 0, out: 'function\n', err: '' })
      const imported = `await import(${JSON.stringify(FILE)}); console.log(1)`
      expect(await runNode(['--input-type=module', '-e', imported, 'word'])).toEqual({ code: 0, out: '1\n', err: '' })
    })
  })

  it('ends with 2 when it could not look, or was not understood', async () => {
    expect((await run()).code).toBe(2)
    expect(await run(served.address, 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('usage: node verify.mjs'),
    })
    expect((await run('http://127.0.0.1:9')).code).toBe(2)
    expect((await run(`${served.address}/elsewhere`)).err).toMatch(/^Not checked: .*answers 404\n$/)
  })
})
