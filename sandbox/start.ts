import { resolve } from 'node:path'
import { Problem } from '../src/domain/problem.ts'
import { nextSignal } from '../src/main/signals.ts'
import { isFresh, takeFolder } from './folder.ts'
import { Story } from './story.ts'
import type { World } from './world.ts'

/** What a newcomer may set; everything else of the environment is production's and stays out of the sandbox. */
const SETTABLE = ['PORT', 'BIND', 'BASE_URL', 'LOG_LEVEL', 'METRICS_PORT', 'PROBE_INTERVAL'] as const

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** `npm start`: the whole world on this machine, with no network and no account. `--fresh` starts over. */
async function start(): Promise<void> {
  const fresh = isFresh(process.argv.slice(2))
  const folder = resolve(process.env.DATA_DIR || './data/sandbox')
  const story = new Story(process.stdout, () => performance.now())
  const stopping = new AbortController()
  const told = nextSignal().then((signal) => {
    stopping.abort(new Stopped())
    return signal
  })
  story.say('Tollbook sandbox: invented sellers, real protocols, play money, no network.\n')
  await takeFolder(folder, fresh)
  const env = Object.fromEntries(SETTABLE.map((name) => [name, process.env[name]]).filter(([, value]) => value))
  // Loaded only now: the first line is there at once, and chains, payment kits and servers take seconds.
  const { openWorld } = await story.step('The program', () => import('./world.ts'))
  stopping.signal.throwIfAborted()
  const world = await openWorld({ folder, env, story, signal: stopping.signal })
  invite(story, world)
  await told
  story.say('\nClosing.')
  await world.stop()
}

class Stopped extends Error {}

function invite(story: Story, { directory, keyFile, auditFolder, firstPageMs, completeMs }: World): void {
  story.say(`\nFirst useful page after ${seconds(firstPageMs)}, the complete world after ${seconds(completeMs)}.`)
  story.say(`\nTollbook listens on ${directory}\n`)
  story.say('Three things to try:')
  story.say('\n  Read as an agent:')
  story.say(`    curl -s -H 'Accept: text/markdown' ${directory}/hosts/weather.seller.test`)
  story.say('\n  Write a review:')
  const review = {
    url: 'http://weather.seller.test/v1/now',
    method: 'GET',
    rail: 'x402',
    rating: 4,
    text: 'My first review.',
  }
  story.say(`    curl -s -X POST ${directory}/v1/reviews -H 'Content-Type: application/json' \\`)
  story.say(`      -d '${JSON.stringify(review)}'`)
  story.say('\n  Pay for a post, with a key that holds play money:')
  story.say(`    node bin/tollbook.js post weather.seller.test --text 'My first post.' --to ${directory} \\`)
  story.say(`      --key-file ${keyFile} --yes`)
  story.say('\nAnd hold all of it against its evidence log, which a witness watches:')
  story.say(`    node bin/tollbook.js audit ${directory} --folder ${auditFolder}`)
  story.say('\nProbes go on every few seconds, so come back to see bars grow.')
  story.say('docs/operating.md says how to run your own. Ctrl-C stops everything; --fresh starts over.')
}

start().then(
  () => process.exit(0),
  (error: unknown) => {
    if (error instanceof Stopped) process.exit(0)
    if (!(error instanceof Problem)) throw error
    process.stderr.write(`tollbook: ${error.detail}${error.hint && ` (${error.hint})`}\n`)
    process.exit(error.slug === 'usage' ? 2 : 1)
  },
)
