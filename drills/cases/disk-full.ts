import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cleanEnvironment } from '../../test/support/program.ts'
import { createDrill, info, inTimeOf, kept, none } from '../drill.ts'
import { ask, isReady, ms, type Reply, until, writtenIn } from '../rigs/asking.ts'
import { PRICE, payingClient, postOf, startMoney } from '../rigs/money.ts'
import { HOST, openMarket, ROUTE, SELLERS } from '../rigs/sellers.ts'
import { COMMAND, startServe } from '../rigs/serve.ts'
import { openSmallDisk, runOn } from '../rigs/small-disk.ts'
import { type Acknowledged, lostOf, restOf, Writers } from '../rigs/writers.ts'

const DISK_MB = 32
const MINUTE_MS = 60_000
const BACK_MS = 10_000
const JSON_TYPE = { 'content-type': 'application/json' }

export const diskFull = createDrill({
  about: 'the disk of the store full for a while, under sweeps, probes, reviews and paid posts',
  mostS: 600,
  full: { seconds: 30, hosts: SELLERS.full },
  small: { seconds: 2, hosts: SELLERS.small },
  run: async (context) => {
    const {
      sizes: { seconds, hosts },
      folder,
      progress,
    } = context
    const disk = await openSmallDisk(folder(), DISK_MB)
    if (disk === undefined) return [info('not tried', 'this user may not mount a disk of its own here')]
    const [market, money] = [await openMarket(folder(), hosts), await startMoney()]
    const till = money.till()
    const env = { DATA_DIR: join(disk.folder, 'data'), ...market.env, ...till.env }
    const served = await startServe(env, disk.node)
    const { address } = served
    const writers = new Writers(() => address, await money.wallet(), restOf(context))
    try {
      await until(async () => (await ask(`${address}/v1/hosts/${HOST}`))?.status === 200, MINUTE_MS)
      writers.start(2, 1)
      await wait(1000)
      progress('full', 0, null)
      disk.fill(0)
      const isRefused = async () => (await review(address, 'First when full.'))?.status === 503
      const noticed = await until(isRefused, MINUTE_MS)
      const full = await whileFull(address, market.hosts, seconds, writers.reviews)
      const said = served.lines.filter((line) => /full/.test(line)).length
      const payer = await money.wallet()
      const refused = await ask(
        `${address}/v1/thread/${HOST}`,
        await postOf(payer, HOST, 'When full.'),
        payingClient(payer),
      )
      const ready = await ask(`${address}/readyz`)
      disk.empty()
      progress('room again', 0, null)
      const back = await until(() => isReady(address), MINUTE_MS)
      const written = await until(async () => (await review(address, 'Room again.'))?.status === 201, MINUTE_MS)
      await wait(1000)
      await writers.stop()
      const { reviews, posts, odd } = writers
      const lost = [...(await lostOf(address, 'reviews', reviews)), ...(await lostOf(address, 'posts', posts))]
      const shown = await until(
        async () => (await postsOf(address)) === Number((await till.income()) / PRICE),
        MINUTE_MS,
      )
      await served.stop()
      const verified = runOn(disk, [COMMAND, 'verify'], cleanEnvironment(env)).trim()
      return [
        info('the first write was refused after', ms(noticed)),
        none(`reads not answered while it was full, of ${full.reads.length}`, failures(full.reads, 200)),
        // One that fits into room which the store has already is taken, and then kept.
        none(
          `writes neither taken nor 503 with Retry-After, of ${full.writes.length}`,
          failures(full.writes, 201, 503),
        ),
        kept('… refused', full.writes.filter(isRefusal).length, 'some', full.writes.some(isRefusal)),
        kept('a paid post while it was full', `${refused?.status}`, '503', refused?.status === 503),
        kept('/readyz while it was full', `${ready?.status}`, '503', ready?.status === 503),
        kept('lines of the log that say so', said, 'some', said > 0),
        inTimeOf(
          context,
          'ready after there is room',
          ms(back),
          `within ${BACK_MS} ms`,
          (back ?? MINUTE_MS) <= BACK_MS,
        ),
        inTimeOf(
          context,
          'a write taken after',
          ms(written),
          `within ${BACK_MS} ms`,
          (written ?? MINUTE_MS) <= BACK_MS,
        ),
        none(`acknowledged and lost, of ${reviews.size} reviews, ${posts.size} posts`, lost),
        kept('posts shown are those paid for', shown === undefined ? 'no' : 'yes', 'yes', shown !== undefined),
        none('other answers than 2xx and 503', odd),
        kept('tollbook verify', verified, '0 differences', verified.endsWith(' 0 differences.')),
      ]
    } finally {
      await writers.stop()
      await served.kill()
      await Promise.all([market.close(), money.stop(), disk.stop()])
    }
  },
})

type Replies = readonly (Reply | undefined)[]

const review = (address: string, text: string): Promise<Reply | undefined> =>
  ask(`${address}/v1/reviews`, {
    ...{ method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ ...ROUTE, rating: 3, text }) },
  })

async function whileFull(
  address: string,
  hosts: readonly string[],
  seconds: number,
  acknowledged: Acknowledged,
): Promise<{ reads: Replies; writes: Replies }> {
  const [reads, writes]: [(Reply | undefined)[], (Reply | undefined)[]] = [[], []]
  const endMs = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < endMs; n++) {
    reads.push(await ask(`${address}/v1/hosts/${hosts[n % hosts.length]}`))
    const text = `When it was full ${n}.`
    const reply = await review(address, text)
    writes.push(reply)
    if (reply?.status === 201) acknowledged.set(writtenIn(reply).id, text)
    await wait(20)
  }
  return { reads, writes }
}

const isRefusal = (reply: Reply | undefined): boolean => reply?.status === 503 && reply.headers.has('retry-after')

const failures = (replies: Replies, ...promised: readonly number[]): string[] =>
  replies
    .filter((reply) => !promised.includes(reply?.status ?? 0) || (reply?.status === 503 && !isRefusal(reply)))
    .map((reply) => String(reply?.status))

async function postsOf(address: string): Promise<number> {
  const reply = await ask(`${address}/v1/thread/${HOST}`)
  return reply?.status === 200 ? Number(JSON.parse(reply.text).total) : Number.NaN
}
