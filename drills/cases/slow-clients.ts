import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { child } from '../../bench/rigs/child.ts'
import type { Seeded } from '../../test/crash/seeded.ts'
import { joined } from '../../test/support/program.ts'
import type { CrowdCount, CrowdOrder } from '../children/crowd.ts'
import { createDrill, info, inTimeOf, kept, none } from '../drill.ts'
import { ask, isReady, ms, p99, type Reply, until } from '../rigs/asking.ts'
import { HOST, type Market, openMarket, ROUTE } from '../rigs/sellers.ts'
import { startServe } from '../rigs/serve.ts'

const MORE_MS = 250
const MOST_MB = 500
const MINUTE_MS = 60_000
const EVERY_MS = 25
/** As by default, but for the good client, who asks more often than 600 times a minute. */
const RATE_LIMITS = 'unsigned=100000/h,unsigned-host=100000/d,signed=60/h,reads=100000/m'

export const slowClients = createDrill({
  about: 'thousands of clients that send and read slowly, and as many event streams as there are, beside a good client',
  mostS: 600,
  full: { clients: 5000, readers: 256, seconds: 20 },
  small: { clients: 200, readers: 32, seconds: 2 },
  run: async (context) => {
    const {
      sizes: { clients, readers, seconds },
      folder,
      progress,
      random,
    } = context
    const place = folder()
    const market = await openMarket(place)
    await market.importInto({ dataDir: `${place}/data`, databaseUrl: undefined })
    const served = await startServe({ DATA_DIR: `${place}/data`, RATE_LIMITS, LOG_LEVEL: 'error' })
    const { address, port, pid } = served
    const crowd = child<CrowdOrder, CrowdCount>(pathToFileURL(joined('crowd')))
    const order = { port, clients, readers }
    try {
      await until(() => isReady(address), MINUTE_MS)
      await goodClient(market, address, 1, random)
      progress('alone', 0, null)
      const alone = await goodClient(market, address, seconds, random)
      progress('crowd', 0, null)
      const isGathered = async () => {
        const count = await crowd.ask(order)
        return count.clients >= clients * 0.9 && count.readers >= readers
      }
      const gathered = await until(isGathered, MINUTE_MS)
      const among = await goodClient(market, address, seconds, random)
      const count = await crowd.ask(order)
      const megabytes = mostMegabytes(pid)
      const [before, after] = [p99(alone.map(tookMs)), p99(among.map(tookMs))]
      return [
        info('slow clients, streams at the end', `${count.clients}, ${count.readers}`),
        info('connections that were ended and opened again', count.ended),
        kept('all there', ms(gathered), 'all', gathered !== undefined),
        info('99 of 100 answers to the good client, alone', ms(before)),
        inTimeOf(context, '… among them', ms(after), `less than ${MORE_MS} ms more`, after - before < MORE_MS),
        none(
          `its requests refused or failed, of ${among.length}`,
          among.filter(isBad).map((r) => String(r?.status)),
        ),
        kept('most memory of the server', `${megabytes} MB`, `under ${MOST_MB} MB`, megabytes < MOST_MB),
      ]
    } finally {
      await crowd.end()
      await served.kill()
      await market.close()
    }
  },
})

type Answered = Reply | undefined
const tookMs = (reply: Answered): number => reply?.ms ?? MINUTE_MS
const isBad = (reply: Answered): boolean => reply === undefined || reply.status >= 400

/** Reads pages that are cached and pages that are not, and writes now and then. */
async function goodClient(market: Market, address: string, seconds: number, random: Seeded): Promise<Answered[]> {
  const replies: Answered[] = []
  const endMs = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < endMs; n++) {
    replies.push(await (n % 10 === 9 ? write(address, n) : ask(`${address}${placeOf(market, n, random)}`)))
    await wait(EVERY_MS)
  }
  return replies
}

function placeOf({ hosts }: Market, n: number, random: Seeded): string {
  if (n % 2 === 0) return `/v1/hosts/${HOST}`
  return `/v1/hosts/${hosts[random.between(0, hosts.length - 1)]}/routes?limit=${random.between(1, 200)}`
}

const write = (address: string, n: number): Promise<Answered> =>
  ask(`${address}/v1/reviews`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ ...ROUTE, rating: 4, text: `Among slow clients ${n}.` }),
  })

/** The most that a process ever held, as Linux counts it. */
function mostMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
