import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { Seal, unsealed } from './seal.ts'

const folder = temporaryFolder()
const file = join(folder, 'sealed')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const all = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const KEYS = [{ vkey: 'log.example/log+5d0e1b6a+AQ', size: 12, root: 'AAAA' }]

function write(lines: readonly string[]): void {
  const seal = new Seal()
  writeFileSync(file, `${seal.add(lines.slice(0, 2))}${seal.add(lines.slice(2))}${seal.end(KEYS)}`)
}

const aLine = fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text))

it('gives back exactly what was sealed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aLine, { maxLength: 20 }), async (lines) => {
      write(lines)
      expect(await all(unsealed(file))).toBe(lines.map((line) => `${line}\n`).join(''))
    }),
    { numRuns: 50 },
  )
})

it('gives back who signed the log; a file of before keys were named is as good', async () => {
  const found: unknown[] = []
  write(['{"a":1}'])
  await all(unsealed(file, (keys) => found.push(keys)))
  const seal = new Seal()
  writeFileSync(file, `${seal.add(['{"a":1}'])}${seal.end()}`)
  expect(await all(unsealed(file, (keys) => found.push(keys)))).toBe('{"a":1}\n')
  expect(found).toEqual([KEYS, []])
})

it('refuses a file that was cut short anywhere, between two lines too, or changed in any byte', async () => {
  write(['{"a":1}', '{"b":2}', '{"c":3}'])
  const bytes = readFileSync(file)
  for (let length = 0; length < bytes.length - 1; length++) {
    writeFileSync(file, bytes.subarray(0, length))
    await expect(all(unsealed(file)), `${length} bytes`).rejects.toThrow()
  }
  for (let at = 0; at < bytes.length - 1; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(file, changed)
    await expect(all(unsealed(file)), `byte ${at}`).rejects.toThrow()
  }
})

it('refuses a file with a line more, less or twice', async () => {
  write(['{"a":1}', '{"b":2}', '{"c":3}'])
  const [a = '', b = '', c = '', end = ''] = readFileSync(file, 'utf8').split('\n')
  for (const lines of [[a, b, end], [a, b, c, c, end], [b, a, c, end], [a, b, c], [end], [a, b, c, end, end]]) {
    writeFileSync(file, `${lines.join('\n')}\n`)
    await expect(all(unsealed(file))).rejects.toThrow()
  }
})
