import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { tollbook } from '../../test/support/program.ts'
import { createDrill, type Figure, info, kept, none } from '../drill.ts'
import { ask, isReady, until } from '../rigs/asking.ts'
import { ClockedWriter, clockOf } from '../rigs/clocked-writer.ts'
import { announced, follow, misheard } from '../rigs/follower.ts'
import { PRICE, startMoney } from '../rigs/money.ts'
import { HOST, openMarket, SELLERS } from '../rigs/sellers.ts'
import { SHIFTED_CLOCK, startServe } from '../rigs/serve.ts'
import { lostOf } from '../rigs/writers.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Where the program's clock stands, one after the other: an hour ahead, two hours back at once, and right again. */
const STEPS = [
  { what: 'right', aheadMs: 0 },
  { what: 'an hour ahead', aheadMs: HOUR_MS },
  { what: 'an hour behind', aheadMs: -HOUR_MS },
  { what: 'right again', aheadMs: 0 },
] as const

export const clock = createDrill({
  about: "the program's clock an hour ahead, then an hour behind, then right again",
  mostS: 600,
  full: { seconds: 20, hosts: SELLERS.full },
  small: { seconds: 1, hosts: SELLERS.small },
  run: async ({ sizes: { seconds, hosts }, folder, progress }) => {
    const place = folder()
    const [market, money] = [await openMarket(place, hosts), await startMoney()]
    const till = money.till()
    const file = join(place, 'clock')
    writeFileSync(file, '0')
    const settings = { DATA_DIR: join(place, 'data'), LOG_LEVEL: 'error', DRILL_CLOCK_FILE: file }
    const env = { ...settings, ...market.env, ...till.env }
    await market.importInto({ dataDir: settings.DATA_DIR, databaseUrl: undefined })
    const served = await startServe(env, [process.execPath, '--import', SHIFTED_CLOCK])
    const { address } = served
    try {
      await until(async () => (await ask(`${address}/v1/hosts/${HOST}`))?.status === 200, MINUTE_MS)
      const follower = follow(address)
      const writer = new ClockedWriter(address, await money.wallet())
      const probes: Figure[] = []
      for (const [n, { what, aheadMs }] of STEPS.entries()) {
        progress(`clock ${what}`, n, STEPS.length)
        writeFileSync(file, String(aheadMs))
        const isSet = async () => Math.abs((await clockOf(address)) - Date.now() - aheadMs) < MINUTE_MS
        if ((await until(isSet, MINUTE_MS)) === undefined) throw new Error(`the clock cannot be set ${what}`)
        const before = market.sellers.seen.length
        await writer.write(what, aheadMs)
        market.grow()
        await wait(seconds * 1000)
        if (!(await isReady(address))) writer.odd.push(`${what}: not ready`)
        probes.push(info(`requests to sellers while its clock was ${what}`, market.sellers.seen.length - before))
      }
      const heard = await follower.stop()
      const { reviews, posts, odd } = writer
      const lost = [...(await lostOf(address, 'reviews', reviews)), ...(await lostOf(address, 'posts', posts))]
      const misses = misheard(heard, await announced(address))
      const paid = Number((await till.income()) / PRICE)
      await served.stop()
      const { out } = await tollbook(['verify'], env)
      return [
        ...probes,
        none('answers other than promised', odd),
        none(`acknowledged and lost, of ${reviews.size} reviews, ${posts.size} posts`, lost),
        kept('posts shown, and paid for', `${posts.size}, ${paid}`, 'equal', posts.size === paid),
        none(`announcements that a follower missed or heard twice, of ${heard.length}`, misses),
        kept('tollbook verify', out.trim(), '0 differences', out.endsWith(' 0 differences.\n')),
      ]
    } finally {
      await served.kill()
      await Promise.all([market.close(), money.stop()])
    }
  },
})
