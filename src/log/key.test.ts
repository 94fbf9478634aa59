import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import { KEY_FILE, seedIn } from './key.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a key that finds no room leaves nothing behind, and is made when there is some', () => {
  symlinkSync('/dev/full', join(folder, `${KEY_FILE}.${process.pid}`))
  expect(() => seedIn(folder)).toThrow('ENOSPC')
  expect(readdirSync(folder)).toEqual([])
  expect(seedIn(folder)).toEqual(seedIn(folder))
  expect(readdirSync(folder)).toEqual([KEY_FILE])
})
