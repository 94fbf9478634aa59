import type { PrivateKeyAccount } from 'viem/accounts'
import { createGuard, type Decision, type Guard } from '../../src/client/guard/index.ts'
import type { Rail } from '../../src/domain/route.ts'
import { payeeOf, sampleAccount } from '../accounts.ts'
import type { Base } from '../chain/base.ts'
import type { Tempo } from '../chain/tempo.ts'
import { LIARS } from '../shop/liars.ts'
import { buyByMpp, buyByX402, fetchFrom, type Purchase } from './buyers.ts'
import { post, type ReviewWords, review } from './writers.ts'

/** Where the sample agents act. */
export interface Scene {
  readonly directory: string
  readonly shopsPort: number
  readonly base: Base
  readonly tempo: Tempo
}

/** Two dollars each: enough for some hundred calls and forty posts. */
const PURSE = 2_000_000n

export const FOUNDER = 'founder'
/** Whose key the newcomer is given. */
export const NEWCOMER = 'newcomer'
const AGENTS = ['ada', 'bo', 'cy', FOUNDER, NEWCOMER] as const

/** Every agent asks the directory before it signs a payment. A machine that has just begun may be slow to answer. */
const guardOf = ({ directory }: Scene, onDecision: (decision: Decision) => void = () => undefined): Guard =>
  createGuard({ directory, limitMs: 10_000, onDecision })

/** Every agent gets play money on both chains. */
export async function fund({ base, tempo }: Pick<Scene, 'base' | 'tempo'>): Promise<number> {
  for (const name of AGENTS) {
    const { address } = sampleAccount(name)
    if ((await base.balanceOf(address)) < PURSE) await base.fund(address, PURSE)
    if ((await tempo.balanceOf(address)) < PURSE) await tempo.fund(address, PURSE)
  }
  return AGENTS.length
}

const WEATHER = 'http://weather.seller.test'

/** What an agent says in the directory; an earlier start that was interrupted may have come so far. */
interface Saying {
  readonly host: string
  readonly text: string
  say(): Promise<string>
}

/** What is not said yet, one after the other. Answers what came of each. */
async function sayOnce(sayings: readonly Saying[], pathOf: (host: string) => string): Promise<string[]> {
  const outcomes: string[] = []
  for (const { host, text, say } of sayings) {
    const said = await (await fetch(pathOf(host))).text()
    if (!said.includes(JSON.stringify(text))) outcomes.push(await say())
  }
  return outcomes
}

/** Agents buy from sellers and say how it was. Answers how many reviews of which level came of it. */
export async function buyAndReview(scene: Scene): Promise<ReadonlyMap<string, number>> {
  const { directory, tempo } = scene
  const shops = fetchFrom(scene.shopsPort)
  const guard = guardOf(scene)
  const [ada, bo, cy, founder] = [
    sampleAccount('ada'),
    sampleAccount('bo'),
    sampleAccount('cy'),
    sampleAccount(FOUNDER),
  ]
  const insider = payeeOf({ host: 'insider.seller.test' })
  const saying = (words: ReviewWords, account?: PrivateKeyAccount, buy?: () => Promise<Purchase>): Saying => ({
    host: new URL(words.url).host,
    text: words.text,
    say: async () => {
      const startMs = performance.now()
      const payment = await buy?.()
      // Who could not buy says nothing.
      const served = { httpStatus: 200, latencyMs: Math.round(performance.now() - startMs), contentSha256: null }
      return review(directory, words, account, payment, payment && served)
    },
  })
  const byX402 = (url: string, rating: number, text: string): ReviewWords => ({
    url,
    method: 'GET',
    rail: 'x402',
    rating,
    text,
  })
  const bought = (account: PrivateKeyAccount, url: string, rating: number, text: string): Saying =>
    saying(byX402(url, rating, text), account, () => buyByX402(account, shops, url, guard))
  const translate = 'http://translate.seller.test/translate'
  const user = 'http://templates.seller.test/users/7'
  const [now, forecast] = [`${WEATHER}/v1/now`, `${WEATHER}/v1/forecast`]
  const levels = await sayOnce(
    [
      bought(ada, now, 5, 'Paid 0.01, got the temperature in one call. The receipt named the transaction.'),
      bought(cy, forecast, 3, 'Right price and quick, but only three days although five were promised.'),
      saying(
        {
          url: translate,
          method: 'POST',
          rail: 'mpp',
          rating: 4,
          text: 'Short texts only, and the price was as listed.',
        },
        bo,
        () => buyByMpp(bo, shops, tempo, translate, { text: 'guten Tag' }, guard),
      ),
      bought(ada, user, 4, 'One user, one cent.'),
      saying(byX402(now, 2, 'Signed, and not bought lately: it was slow last month.'), bo),
      saying(byX402(forecast, 1, 'Anybody can write this line, so it says Unsigned.')),
      bought(founder, now, 5, 'We run this directory, so this review never counts.'),
      saying(byX402('http://insider.seller.test/tips', 5, 'Best tips there are, says the shop.'), insider),
    ],
    (host) => `${directory}/v1/hosts/${host}/reviews?limit=200`,
  )
  const counts = new Map<string, number>()
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1)
  return counts
}

/** An agent is asked for more than is listed by a seller that shows probers another price. Answers why nothing was signed. */
export async function meetLiar(scene: Scene): Promise<string> {
  const { host, routes } = LIARS['a price above the listed one']
  const url = `http://${host}${routes[0]?.path ?? ''}`
  let reason: string | undefined
  const guard = guardOf(scene, ({ findings }) => {
    reason = findings.find(({ severity }) => severity === 'stop')?.said
  })
  const bought = await buyByX402(sampleAccount('ada'), fetchFrom(scene.shopsPort), url, guard).catch(() => undefined)
  if (bought !== undefined || reason === undefined) throw new Error(`${url} was not stopped`)
  return reason
}

/** Agents pay for posts, on both rails. */
export async function discuss({ directory, tempo }: Scene): Promise<number> {
  const saying = (rail: Rail, host: string, name: string, text: string): Saying => ({
    host,
    text,
    say: () => post(directory, rail, host, text, sampleAccount(name), tempo),
  })
  const posts = await sayOnce(
    [
      saying('x402', 'weather.seller.test', 'ada', 'Does the forecast count one call per day or per place?'),
      saying('mpp', 'weather.seller.test', 'bo', 'Per place, as far as I saw: five places were five cents.'),
      saying('mpp', 'translate.seller.test', 'bo', 'Is there a limit on the length of a text?'),
    ],
    (host) => `${directory}/v1/thread/${host}?limit=200`,
  )
  return posts.length
}
