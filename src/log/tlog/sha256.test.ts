import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { sha256 } from './sha256.ts'

describe('SHA-256', () => {
  it('is that of Node for every length around blocks, and for any bytes', () => {
    const same = (bytes: Uint8Array): void => {
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
    for (let length = 0; length < 400; length++) same(new Uint8Array(length).fill(length))
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), same))
  })

  it('writes where it is told to, and reads a part of a larger whole', () => {
    const out = new Uint8Array(34)
    sha256(Buffer.from('xabcx').subarray(1, 4), out, 1)
    expect(Buffer.from(out).toString('hex')).toBe(`00${createHash('sha256').update('abc').digest('hex')}00`)
  })

  it('does without Node', async () => {
    // Under another name it is loaded anew.
    const anew = './sha256.ts?anew'
    const asked: string[] = []
    const without = vi.spyOn(process, 'getBuiltinModule').mockImplementation((name) => void asked.push(name))
    const elsewhere: typeof import('./sha256.ts') = await import(anew).finally(() => without.mockRestore())
    expect(asked).toEqual(['node:crypto'])
    const long = new Uint8Array(70_001).fill(7)
    expect(elsewhere.sha256).not.toBe(sha256)
    expect(elsewhere.sha256(long)).toEqual(sha256(long))
  })
})
