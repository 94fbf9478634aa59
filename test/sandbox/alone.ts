// Runs where there is no network but loopback: opens the sandbox, reads its pages, closes it and says what it saw.
import { spawn } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuSeconds } from '../support/processes.ts'

/** What is said, as one line of JSON. */
export interface Seen {
  readonly interfaces: readonly string[]
  readonly story: string
  readonly home: number
  readonly reviews: number
  readonly posts: number
  /** Processor time that the world uses once it rests, in cores; nothing is probed meanwhile. */
  readonly idleCores: number
  readonly code: number | null
}

const IDLE_SECONDS = 5
/** What the opening left to do may take the first of them. */
const MOST_WINDOWS = 6
const RESTING_CORES = 0.1

const [, , start = '', folder = ''] = process.argv
const child = spawn(process.execPath, [start], {
  cwd: folder,
  env: { ...process.env, PORT: '0', PROBE_INTERVAL: '12h' },
})
const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
let story = ''
const address = await new Promise<string>((resolve, reject) => {
  child.stdout.on('data', (chunk) => {
    story += chunk
    const [, found] = /Tollbook listens on (http:\/\/\S+)/.exec(story) ?? []
    if (found) resolve(found)
  })
  void ended.then((code) => reject(new Error(`ended with ${code}: ${story}`)))
})
const total = async (path: string): Promise<number> => JSON.parse(await (await fetch(`${address}${path}`)).text()).total
const seen = {
  interfaces: Object.keys(networkInterfaces()),
  home: (await fetch(address)).status,
  reviews: await total('/v1/hosts/weather.seller.test/reviews'),
  posts: await total('/v1/thread/weather.seller.test'),
}
async function coresUsed(): Promise<number> {
  const before = cpuSeconds(child.pid ?? 0)
  await wait(IDLE_SECONDS * 1000)
  return (cpuSeconds(child.pid ?? 0) - before) / IDLE_SECONDS
}
let idleCores = await coresUsed()
for (let window = 1; window < MOST_WINDOWS && idleCores >= RESTING_CORES; window++) idleCores = await coresUsed()
child.kill('SIGINT')
process.stdout.write(`${JSON.stringify({ ...seen, story, idleCores, code: await ended } satisfies Seen)}\n`)
