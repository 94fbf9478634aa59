import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { linesOf } from './lines.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function read(text: string, longest = 1_000_000): Promise<string[]> {
  const file = join(folder, 'text')
  writeFileSync(file, text)
  const lines: string[] = []
  for await (const some of linesOf(file, longest)) lines.push(...some)
  return lines
}

describe('linesOf', () => {
  it('ends lines at \\n alone, and gives no line for a last end', async () => {
    expect(await read('')).toEqual([])
    expect(await read('a')).toEqual(['a'])
    expect(await read('a\n')).toEqual(['a'])
    expect(await read('\n\na\r\n\n')).toEqual(['', '', 'a\r', ''])
    expect(await read('a\u2028b\u2029c\u0085d\re\vf\n')).toEqual(['a\u2028b\u2029c\u0085d\re\vf'])
  })

  it('gives what was written, wherever the file is cut into chunks', async () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'é', '日', '👍', '\r', '\u2028'),
      maxLength: 30_000,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        expect(await read(lines.map((text) => `${text}\n`).join(''))).toEqual(lines)
      }),
      { numRuns: 30 },
    )
  })

  it('names the line with bytes that are no text, and takes a sign that stands for some as it is', async () => {
    expect(await read('a\uFFFD\n')).toEqual(['a\uFFFD'])
    const file = join(folder, 'bytes')
    const readBytes = async (bytes: readonly number[]): Promise<void> => {
      writeFileSync(file, Buffer.from(bytes))
      for await (const lines of linesOf(file, 1000)) expect(lines).toEqual(['a'])
    }
    await expect(readBytes([0x61, 0x0a, 0x61, 0xff, 0x0a])).rejects.toThrow('line 2: not UTF-8; nothing was imported')
    await expect(readBytes([0x61, 0x0a, 0x61, 0xc3])).rejects.toThrow('line 2: not UTF-8')
  })

  it('stops soon after a line is longer than any may be', async () => {
    const [first, long = '', ...more] = await read(`a\n${'x'.repeat(5_000_000)}\nb\n`, 1000)
    expect([first, more]).toEqual(['a', []])
    expect(long.length).toBeGreaterThan(1000)
    expect(long.length).toBeLessThan(200_000)
  })
})
