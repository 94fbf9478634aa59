import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { processTable } from '../support/process-table.ts'
import { descendants } from '../support/processes.ts'
import { cleanEnvironment, ended, joined, listening } from '../support/program.ts'

/** What has just been told when the program is killed, and how long after. */
const MOMENTS: readonly (readonly [RegExp, number])[] = [
  [/Tollbook sandbox/, 0],
  [/✓ The program/, 20],
  [/✓ A chain for x402/, 0],
  [/✓ A chain for mpp/, 30],
  [/✓ Sample sellers/, 10],
  [/✓ The directory/, 300],
  [/✓ Listing sources/, 0],
  [/✓ Routes are probed/, 500],
  [/✓ Agents get play money/, 400],
  [/✓ Agents buy/, 700],
]

const launch = (folder: string) =>
  spawn(process.execPath, [joined('sandbox')], { cwd: folder, env: cleanEnvironment({ PORT: '0' }) })

it('killed at ten moments, leaves no process and no half-written chain: each start goes on, the last is whole', {
  timeout: 300_000,
}, async () => {
  const folder = temporaryFolder()
  for (const [told, afterMs] of MOMENTS) {
    const child = launch(folder)
    const end = ended(child)
    let story = ''
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        story += chunk
        if (told.test(story)) resolve()
      })
      void end.then(({ err }) => reject(new Error(`ended before ${told}: ${story}${err}`)))
    })
    await wait(afterMs)
    const pids = [child.pid ?? 0, ...descendants(child.pid ?? 0)]
    child.kill('SIGKILL')
    await end
    const left = () => processTable().filter(({ pid, isEnded }) => pids.includes(pid) && !isEnded)
    for (let look = 0; look < 50 && left().length > 0; look += 1) await wait(100)
    expect(left(), String(told)).toEqual([])
  }
  const world = await listening(launch(folder))
  const json = async (path: string) => JSON.parse(await (await fetch(`${world.address}${path}`)).text())
  const { posts } = await json('/v1/thread/weather.seller.test')
  expect([...new Set(posts.map(({ rail }: { rail: string }) => rail))].toSorted()).toEqual(['mpp', 'x402'])
  const { reviews } = await json('/v1/hosts/weather.seller.test/reviews')
  const levels = reviews.map(({ level }: { level: string }) => level)
  expect(new Set(levels)).toEqual(new Set(['Verified buyer', 'Signed', 'Unsigned']))
  expect((await world.stop('SIGINT')).code).toBe(0)
  rmSync(folder, { recursive: true, force: true })
})
