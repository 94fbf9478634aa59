import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { accountIn } from './key-file.ts'

// The first account of every development chain.
const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const folder = mkdtempSync(join(tmpdir(), 'tollbook-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(text: string, mode = 0o600): string {
  const path = join(folder, `${Math.random()}.key`)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

describe('a key file', () => {
  it.each([KEY, `0x${KEY}`, `${KEY.toUpperCase()}\n`])(
    'holds a private key in hex, however it is written',
    async (text) => {
      const warnings: string[] = []
      expect((await accountIn(file(text), (warning) => warnings.push(warning))).address).toBe(ADDRESS)
      expect(warnings).toEqual([])
    },
  )

  it('is warned about when others may read it', async () => {
    const warnings: string[] = []
    await accountIn(file(KEY, 0o640), (warning) => warnings.push(warning))
    expect(warnings).toEqual([expect.stringMatching(/can be read by others: chmod 600/)])
  })

  it.each(['', 'no key', KEY.slice(2), '0'.repeat(64), 'f'.repeat(64)])(
    'is refused when it holds none, without repeating it: %s',
    async (text) => {
      await expect(accountIn(file(text), () => undefined)).rejects.toThrow(/holds no private key$/)
    },
  )

  it('is refused when it is not there', async () => {
    await expect(accountIn(join(folder, 'none'), () => undefined)).rejects.toThrow(/cannot be read$/)
  })
})
