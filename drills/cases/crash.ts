import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Seeded } from '../../test/crash/seeded.ts'
import { createDrill, type DrillContext, type Figure, info, kept, none } from '../drill.ts'
import { ask, isReady, until } from '../rigs/asking.ts'
import { type BusyOptions, type BusyWorld, openBusyWorld } from '../rigs/busy-world.ts'
import { lostWhenNotWritten, lostWhenOnlySent } from '../rigs/controls.ts'
import { PRICE, startMoney } from '../rigs/money.ts'
import { HOST, SELLERS } from '../rigs/sellers.ts'
import { lostOf, restOf } from '../rigs/writers.ts'

const REVIEWERS = 3
const POSTERS = 2
const BACK_MS = 60_000
/** Hosts whose entries are looked at before and after every kill. */
const LOOKED_AT = 5

export const crash = createDrill({
  about: 'program and Postgres killed at random under sweeps, probes, reviews and paid posts',
  mostS: 1800,
  full: { rounds: 20, hosts: SELLERS.full },
  small: { rounds: 1, hosts: SELLERS.small },
  run: async (context) => {
    const { rounds, hosts } = context.sizes
    const money = await startMoney()
    try {
      return [
        ...(await crashing(context, { money, hosts, engine: 'SQLite' }, Math.ceil(rounds / 2))),
        ...(await crashing(context, { money, hosts, engine: 'Postgres' }, Math.floor(rounds / 2))),
      ]
    } finally {
      await money.stop()
    }
  },
})

async function crashing(
  context: DrillContext,
  what: Omit<BusyOptions, 'folder' | 'restMs'>,
  rounds: number,
): Promise<Figure[]> {
  if (rounds === 0) return []
  const { engine } = what
  const world = await openBusyWorld({ ...what, folder: context.folder(), restMs: restOf(context) })
  try {
    world.writers.start(REVIEWERS, POSTERS)
    const { kills, shown, gone } = await killRounds(world, context, rounds)
    await world.writers.stop()
    const { posts, income } = await settled(world)
    const { reviews, posts: posted, odd } = world.writers
    const lost = [
      ...(await lostOf(world.address, 'reviews', reviews)),
      ...(await lostOf(world.address, 'posts', posted)),
    ]
    const paid = Number(income / PRICE)
    const lossy = await control(world, context)
    const verified = await world.verify()
    return [
      info(
        `${engine}: kills`,
        Object.entries(kills)
          .map(([victim, n]) => `${n} of ${victim}`)
          .join(', '),
      ),
      none(`${engine}: acknowledged and lost, of ${reviews.size} reviews, ${posted.size} posts`, lost),
      none(`${engine}: probe entries shown and lost, of ${shown}`, gone),
      kept(`${engine}: posts shown, and paid for`, `${posts}, ${paid}`, 'equal', paid === posts),
      none(`${engine}: writers answered otherwise than 2xx or 503`, odd),
      kept(`${engine}: tollbook verify`, verified, '0 differences', verified.endsWith(' 0 differences.')),
      lossy,
    ]
  } finally {
    await world.writers.stop()
    await world.stop()
  }
}

async function control(world: BusyWorld, { random, progress }: DrillContext): Promise<Figure> {
  progress(`${world.engine} control`, 0, null)
  const [what, lost] =
    world.postgres === null
      ? ['control: called kept when only sent', await lostWhenOnlySent(world, random)]
      : ['control: told not to wait for the disk', await lostWhenNotWritten(world)]
  return kept(`${world.engine}: ${what}`, `${lost} lost`, 'some lost', lost > 0)
}

interface Killed {
  readonly kills: Record<string, number>
  /** Probe entries that readers were shown. */
  readonly shown: number
  readonly gone: string[]
}

async function killRounds(world: BusyWorld, { random, progress }: DrillContext, rounds: number): Promise<Killed> {
  const kills: Record<string, number> = {}
  const gone: string[] = []
  let shown = 0
  for (let round = 0; round < rounds; round++) {
    progress(`${world.engine} kills`, round, rounds)
    world.market.grow()
    await someWork(world, random)
    const all = world.market.hosts
    const first = random.between(0, Math.max(0, all.length - LOOKED_AT))
    const hosts = all.slice(first, first + LOOKED_AT)
    const before = await Promise.all(hosts.map((host) => rowsOf(world, host)))
    const isServer = world.postgres !== null && random.between(0, 1) === 1
    const victim = isServer ? 'Postgres' : 'the program'
    kills[victim] = (kills[victim] ?? 0) + 1
    await (isServer ? killServer(world, random.between(0, 300)) : killProgram(world))
    for (const [n, host] of hosts.entries()) {
      const [was, is] = [before[n] ?? 0, await rowsOf(world, host)]
      shown += was
      if (is < was) gone.push(`${host}: ${was}, then ${is}`)
    }
  }
  return { kills, shown, gone }
}

const WORK_MS = 15_000

/** Kills hit a directory at work: so many reviews after the last one, and at times a post, were acknowledged. */
async function someWork({ writers }: BusyWorld, random: Seeded): Promise<void> {
  const reviews = writers.reviews.size + random.between(1, 30)
  const posts = writers.posts.size + (random.between(0, 2) === 0 ? 1 : 0)
  await until(() => writers.reviews.size >= reviews && writers.posts.size >= posts, WORK_MS)
  await wait(random.between(0, 100))
}

async function killProgram(world: BusyWorld): Promise<void> {
  await world.killProgram()
  await world.start()
}

/** The program lives on, and finds its way back. */
async function killServer({ postgres, address }: BusyWorld, awayMs: number): Promise<void> {
  await postgres?.kill()
  await wait(awayMs)
  await postgres?.start()
  if ((await until(() => isReady(address), BACK_MS)) === undefined) throw new Error('the directory did not come back')
}

const hostView = z.looseObject({ counters: z.looseObject({ machine_evidence_rows: z.number() }) })

/** As many probe entries as readers are shown of a host: whoever has seen them will look for them again. */
async function rowsOf({ address }: BusyWorld, host: string): Promise<number> {
  const reply = await ask(`${address}/v1/hosts/${host}`)
  return reply?.status === 200 ? hostView.parse(JSON.parse(reply.text)).counters.machine_evidence_rows : 0
}

const thread = z.looseObject({ total: z.number() })

/** Posts and income once every payment under way has come to its end. */
async function settled({ address, till }: BusyWorld): Promise<{ posts: number; income: bigint }> {
  let last = { posts: 0, income: -1n }
  await until(async () => {
    const reply = await ask(`${address}/v1/thread/${HOST}`)
    const posts = reply?.status === 200 ? thread.parse(JSON.parse(reply.text)).total : 0
    last = { posts, income: await till.income() }
    return last.income === BigInt(posts) * PRICE
  }, BACK_MS)
  return last
}
