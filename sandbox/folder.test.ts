import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { holdShared, makeHoldFile } from '../src/store/engines/sqlite/hold.ts'
import { temporaryFolder } from '../test/support/engines.ts'
import { isFresh, secretIn, takeFolder } from './folder.ts'

const root = temporaryFolder()
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
/** A folder with these files, each with its own name in it. */
function folderWith(...names: readonly string[]): string {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  for (const name of names) writeFileSync(join(folder, name), name)
  return folder
}
const namesIn = (folder: string): string[] => readdirSync(folder).toSorted()

describe('the folder of the sandbox', () => {
  it('is one that is not there, or empty, and stays its own', async () => {
    for (const folder of [join(root, 'not', 'there'), folderWith()]) {
      await takeFolder(folder, false)
      expect(namesIn(folder)).toEqual(['sandbox.txt'])
      writeFileSync(join(folder, 'tollbook.db'), 'kept')
      await takeFolder(folder, false)
      expect(readFileSync(join(folder, 'tollbook.db'), 'utf8')).toBe('kept')
    }
  })

  it('is nobody else’s to read when it is new', async () => {
    const folder = join(root, 'new', 'folder')
    await takeFolder(folder, false)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it.each([false, true])('is none that holds something else, which stays as it is (fresh: %s)', async (fresh) => {
    const names = ['archive', 'log.key', 'tollbook.db']
    const folder = folderWith(...names)
    await expect(takeFolder(folder, fresh)).rejects.toThrow(
      expect.objectContaining({ detail: expect.stringContaining(folder), hint: expect.stringContaining('DATA_DIR') }),
    )
    expect(namesIn(folder)).toEqual(names)
  })

  it('is also one from before there was a mark', async () => {
    const folder = folderWith('base.chain.ndjson', 'tollbook.db')
    await takeFolder(folder, false)
    expect(namesIn(folder)).toEqual(['base.chain.ndjson', 'sandbox.txt', 'tollbook.db'])
  })

  it('loses what the sandbox made when it starts over, and nothing else', async () => {
    const folder = folderWith('base.chain.ndjson', 'tollbook.db', 'tollbook.db-wal', 'secret.key', 'my-notes.txt')
    mkdirSync(join(folder, 'witness'))
    writeFileSync(join(folder, 'witness', 'witness.key'), '')
    await takeFolder(folder, true)
    expect(namesIn(folder)).toEqual(['my-notes.txt', 'sandbox.txt'])
  })

  it('is not started over while a sandbox runs on it', async () => {
    const names = ['base.chain.ndjson', 'tollbook.db', 'tollbook.open']
    const folder = folderWith(...names.slice(0, 2))
    makeHoldFile(folder)
    const running = holdShared(folder)
    await expect(takeFolder(folder, true)).rejects.toThrow('another program has the store')
    expect(namesIn(folder)).toEqual(names)
    running.release()
    await takeFolder(folder, true)
    expect(namesIn(folder)).toEqual(['sandbox.txt'])
  })

  it('is not a file', async () => {
    const file = join(folderWith('file'), 'file')
    await expect(takeFolder(file, true)).rejects.toThrow(expect.objectContaining({ hint: 'set DATA_DIR to one' }))
  })
})

describe('the secret of the sandbox', () => {
  it('is made once, for its owner alone', () => {
    const folder = folderWith()
    const secret = secretIn(folder)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(secretIn(folder)).toBe(secret)
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  it.each(['', 'ab01'])('is made anew when a kill left no more of it than “%s”', (left) => {
    const folder = folderWith()
    writeFileSync(join(folder, 'secret.key'), left)
    const secret = secretIn(folder)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(secretIn(folder)).toBe(secret)
  })
})

describe('the words after npm start', () => {
  it('are --fresh or none', () => {
    expect([isFresh([]), isFresh(['--fresh'])]).toEqual([false, true])
  })

  it.each([
    ['--fersh', /^did you mean --fresh\?/],
    ['--roles', /^npm start takes --fresh/],
  ])('are not %s', (word, hint) => {
    expect(() => isFresh([word])).toThrow(
      expect.objectContaining({ slug: 'usage', detail: `unknown argument ${word}`, hint: expect.stringMatching(hint) }),
    )
  })
})
