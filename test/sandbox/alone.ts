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
  /** Processor time that the idle world uses, in cores; nothing is probed meanwhile. */
  readonly idleCores: number
  readonly code: number | null
}

const IDLE_SECONDS = 8

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
const before = cpuSeconds(child.pid ?? 0)
await wait(IDLE_SECONDS * 1000)
const idleCores = (cpuSeconds(child.pid ?? 0) - before) / IDLE_SECONDS
child.kill('SIGINT')
process.stdout.write(`${JSON.stringify({ ...seen, story, idleCores, code: await ended } satisfies Seen)}\n`)
