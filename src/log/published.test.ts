import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import { Published } from './published.ts'
import { newSigner, newVerifier } from './tlog/index.ts'
import { SmallLog, someEntries } from './tlog/testing/small-log.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const logOf = async (byte: number) => new SmallLog(await newSigner(new Uint8Array(32).fill(byte), 'log.example/log'))
const open = (file: string, log: SmallLog) => Published.open(file, newVerifier(log.signer.vkey))

it('keeps the newest checkpoint in its file, never a shorter one than another program has said since', async () => {
  const [file, log] = [join(folder, 'kept'), await logOf(1)]
  const [first, second] = [await open(file, log), await open(file, log)]
  const short = await log.append(someEntries(3))
  const early = { size: 3, root: log.root }
  const long = await log.append(someEntries(2, 3))
  second.keep({ size: 5, root: log.root }, long)
  first.keep(early, short)
  expect(readFileSync(file, 'utf8')).toBe(long)
  expect((await open(file, log)).size).toBe(5)
  expect(await (await open(file, log)).faultOf(early, log.readTile)).toMatch(/a checkpoint of 5 was published$/)
})

it('begins anew with another key, and refuses what it cannot read', async () => {
  const [file, old, next] = [join(folder, 'rotated'), await logOf(1), await logOf(2)]
  ;(await open(file, old)).keep({ size: 9, root: old.root }, await old.append(someEntries(9)))
  const published = await open(file, next)
  const note = await next.append(someEntries(2))
  expect(await published.faultOf({ size: 2, root: next.root }, next.readTile)).toBeUndefined()
  published.keep({ size: 2, root: next.root }, note)
  expect(readFileSync(file, 'utf8')).toBe(note)
  writeFileSync(file, 'x')
  expect(await (await open(file, next)).faultOf({ size: 2, root: next.root }, next.readTile)).toMatch(/cannot be read$/)
})
