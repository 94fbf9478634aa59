import { setTimeout as wait } from 'node:timers/promises'
import { throwAwayPostgres } from '../../test/support/postgres.ts'
import { openRelay, type TcpRelay } from '../../test/support/tcp-relay.ts'
import { createDrill, type DrillContext, type Figure, info, inTimeOf, kept, none } from '../drill.ts'
import { ask, isReady, ms, p99, type Reply, until } from '../rigs/asking.ts'
import { type Market, openMarket, ROUTE } from '../rigs/sellers.ts'
import { type Served, startServe } from '../rigs/serve.ts'

const WARM = 20
const READY_MS = 5000
const START_MS = 60_000
const EVERY_MS = 50

export const databaseGone = createDrill({
  about: 'Postgres killed for a while, then silent: cached pages answer, the rest is 503, and it is ready soon after',
  mostS: 600,
  full: { seconds: 60, silent: 15 },
  small: { seconds: 2, silent: 0 },
  run: async (context) => {
    const {
      sizes: { seconds, silent },
      folder,
      progress,
    } = context
    const place = folder()
    const [market, postgres] = [await openMarket(place), await throwAwayPostgres()]
    const relay = await openRelay(Number(new URL(postgres.url).port))
    const through = new URL(postgres.url)
    through.port = String(relay.port)
    try {
      await market.importInto({ dataDir: place, databaseUrl: postgres.url })
      const served = await startServe({ DATABASE_URL: through.href, DATA_DIR: place, LOG_LEVEL: 'error' })
      await until(() => isReady(served.address), START_MS)
      const outage = new Outage(served, market)
      await outage.warm()
      progress('killed', 0, null)
      await postgres.kill()
      const killed = await outage.watch(seconds)
      await postgres.start()
      const ready = await until(() => isReady(served.address), START_MS)
      const back = await outage.recovered()
      progress('silent', 0, null)
      const silently = silent === 0 ? [] : await whileSilent(context, outage, relay)
      const loud = served.lines.filter((line) => line.includes('requests failed'))
      const stacks = served.lines.filter((line) => /"stack"|\n?\s+at /.test(line))
      await served.stop()
      return [
        ...figuresOf('killed', killed),
        readySoon(context, 'killed', ready),
        none('killed: still refused or old once it is back', back),
        ...silently,
        kept(
          'log lines about refused requests',
          loud.length,
          'one a second',
          loud.length <= mostLines(seconds + silent),
        ),
        none('stack traces in the log', stacks),
      ]
    } finally {
      await Promise.all([relay.stop(), market.close(), postgres.stop()])
    }
  },
})

type Context = DrillContext<'seconds' | 'silent'>

const readySoon = (context: Context, how: string, took: number | undefined): Figure =>
  inTimeOf(context, `${how}: ready after it is back`, ms(took), `within ${READY_MS} ms`, (took ?? START_MS) <= READY_MS)

/** Questions that were never answered are given up later than the outage ends. */
const mostLines = (seconds: number): number => seconds + 20

async function whileSilent(context: Context, outage: Outage, relay: TcpRelay): Promise<Figure[]> {
  await outage.warm()
  relay.fallSilent()
  const watched = await outage.watch(context.sizes.silent)
  relay.speak()
  return [...figuresOf('silent', watched), readySoon(context, 'silent', await until(() => outage.isOver(), START_MS))]
}

type Asking = ReturnType<typeof ask>
type Replies = readonly Awaited<Asking>[]

interface Watched {
  readonly cached: Replies
  readonly others: Replies
  readonly alive: Replies
}

/** Readers and writers of a directory, before, while and after its database is away. */
class Outage {
  readonly #address: string
  readonly #hosts: readonly string[]
  #asked = 0

  constructor({ address }: Served, { hosts }: Market) {
    this.#address = address
    this.#hosts = hosts
  }

  #cached(n: number): Asking {
    return ask(`${this.#address}/hosts/${this.#hosts[n % WARM]}?format=${n % 2 === 0 ? 'json' : 'html'}`)
  }

  /** A page that nobody has asked for before, or a write. */
  #other(): Asking {
    const n = ++this.#asked
    if (n % 3 !== 0) return ask(`${this.#address}/v1/hosts?q=never-${n}`)
    const body = JSON.stringify({ ...ROUTE, rating: 3, text: `While it was away ${n}.` })
    return ask(`${this.#address}/v1/reviews`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }

  isOver(): Promise<boolean> {
    return isReady(this.#address)
  }

  async warm(): Promise<void> {
    for (let n = 0; n < 2 * WARM; n++) await this.#cached(n)
  }

  async watch(seconds: number): Promise<Watched> {
    const cached: Asking[] = []
    const others: Asking[] = []
    const alive: Asking[] = []
    const endMs = performance.now() + seconds * 1000
    for (let n = 0; performance.now() < endMs; n++) {
      cached.push(this.#cached(n % (2 * WARM)))
      if (n % 4 === 0) others.push(this.#other())
      if (n % 8 === 0) alive.push(ask(`${this.#address}/healthz`))
      await wait(EVERY_MS)
    }
    return { cached: await Promise.all(cached), others: await Promise.all(others), alive: await Promise.all(alive) }
  }

  /** What is still not as it should be. */
  async recovered(): Promise<string[]> {
    const faults: string[] = []
    await until(async () => !(await this.#cached(0))?.headers.has('warning'), READY_MS)
    for (let n = 0; n < 2 * WARM; n++) {
      const reply = await this.#cached(n)
      if (reply?.status !== 200 || reply.headers.has('warning')) faults.push(`a page: ${reply?.status}`)
    }
    for (let n = 0; n < 6; n++) {
      const reply = await this.#other()
      if (reply === undefined || reply.status >= 300) faults.push(`another: ${reply?.status}`)
    }
    return faults
  }
}

function figuresOf(how: string, { cached, others, alive }: Watched): Figure[] {
  const isOld = (reply: Reply | undefined): boolean => reply?.status === 200 && reply.headers.has('warning')
  const isRefused = (reply: Reply | undefined): boolean => reply?.status === 503 && reply.headers.has('retry-after')
  const statuses = (replies: Replies): string[] => replies.map((reply) => String(reply?.status))
  const took = (replies: Replies): string => ms(p99(replies.map((reply) => reply?.ms ?? Number.NaN)))
  // In the first half second a page may still count as looked at.
  const isCurrent = (reply: Reply | undefined): boolean => reply?.status === 200 && !reply.headers.has('warning')
  const old = cached.filter(isOld).length
  return [
    none(`${how}: cached pages not answered, of ${cached.length}`, statuses(cached.filter((r) => r?.status !== 200))),
    kept(
      `${how}: … that say they are old`,
      `${old}, ${cached.filter(isCurrent).length} not yet`,
      'most',
      2 * old > cached.length,
    ),
    none(`${how}: others not 503 with Retry-After, of ${others.length}`, statuses(others.filter((r) => !isRefused(r)))),
    none(`${how}: /healthz not 200, of ${alive.length}`, statuses(alive.filter((reply) => reply?.status !== 200))),
    info(`${how}: 99 of 100 answered within, cached and others`, `${took(cached)}, ${took(others)}`),
  ]
}
