import cluster from 'node:cluster'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { Crew } from './crew.ts'

/** Says that it serves, and ends when it is told to. */
const WORKER = `process.on('message', ({ kind }) => { if (kind === 'stop') process.exit(0) })
process.send({ kind: 'joined' })
process.send({ kind: 'serving', port: 1 })`
/** As on a machine that has no process left: a worker never begins there, and so never ends. */
const NOWHERE = '/there/is/no/such/folder'

let folder: string
let said: string[]

beforeEach(() => {
  folder = temporaryFolder()
  said = []
  writeFileSync(join(folder, 'worker.cjs'), WORKER)
})
afterEach(() => rmSync(folder, { recursive: true }))

const beginIn = (cwd: string): void =>
  cluster.setupPrimary({ ...{ exec: join(folder, 'worker.cjs'), args: [], execArgv: [], cwd } })

const prepared = (): Promise<Crew> => {
  const log = pino({}, { write: (line: string) => void said.push(JSON.parse(line).msg) })
  return Crew.prepare({ ...{ size: 2, port: 1, bind: undefined, log }, condition: () => ({}) })
}

it('A crew whose workers cannot be started says so, and does not wait for them.', async () => {
  beginIn(NOWHERE)
  const crew = await prepared()
  await expect(crew.start()).rejects.toThrow(/web worker \d cannot be started: spawn .* ENOENT/)
})

it('A worker that ended and cannot be started again is tried until it can.', async () => {
  beginIn(folder)
  const crew = await prepared()
  await crew.start()
  beginIn(NOWHERE)
  Object.values(cluster.workers ?? {})[0]?.process.kill('SIGKILL')
  await expect.poll(() => said).toContain('a web worker cannot be started, it is tried again')
  expect(crew.serving).toBe(1)
  beginIn(folder)
  await expect.poll(() => crew.serving, { timeout: 20_000 }).toBe(2)
  await crew.drain(5_000)
})
