import type { PrivateKeyAccount } from 'viem/accounts'
import { payeeOf, sampleAccount } from '../accounts.ts'
import type { Base } from '../chain/base.ts'
import type { Tempo } from '../chain/tempo.ts'
import { buyByMpp, buyByX402, fetchFrom } from './buyers.ts'
import { post, review } from './writers.ts'

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

/** Agents buy from sellers and say how it was. Answers how many reviews of which level came of it. */
export async function buyAndReview(scene: Scene): Promise<ReadonlyMap<string, number>> {
  const { directory, tempo } = scene
  const shops = fetchFrom(scene.shopsPort)
  const [ada, bo, cy, founder] = [
    sampleAccount('ada'),
    sampleAccount('bo'),
    sampleAccount('cy'),
    sampleAccount(FOUNDER),
  ]
  const get = (path: string, rating: number, text: string) =>
    ({ url: `${WEATHER}${path}`, method: 'GET', rail: 'x402', rating, text }) as const
  const bought = async (account: PrivateKeyAccount, path: string, rating: number, text: string) =>
    review(directory, get(path, rating, text), account, await buyByX402(account, shops, `${WEATHER}${path}`))
  const translated = await buyByMpp(bo, shops, tempo, 'http://translate.seller.test/translate', { text: 'guten Tag' })
  const translating = { url: 'http://translate.seller.test/translate', method: 'POST', rail: 'mpp' } as const
  const user = 'http://templates.seller.test/users/7'
  const insider = payeeOf({ host: 'insider.seller.test' })
  const levels = [
    await bought(ada, '/v1/now', 5, 'Paid 0.01, got the temperature in one call. The receipt named the transaction.'),
    await bought(cy, '/v1/forecast', 3, 'Right price and quick, but only three days although five were promised.'),
    await review(
      directory,
      { ...translating, rating: 4, text: 'Short texts only, and the price was as listed.' },
      bo,
      translated,
    ),
    await review(
      directory,
      { url: user, method: 'GET', rail: 'x402', rating: 4, text: 'One user, one cent.' },
      ada,
      await buyByX402(ada, shops, user),
    ),
    await review(directory, get('/v1/now', 2, 'Signed, and not bought lately: it was slow last month.'), bo),
    await review(directory, get('/v1/forecast', 1, 'Anybody can write this line, so it says Unsigned.')),
    await bought(founder, '/v1/now', 5, 'We run this directory, so this review never counts.'),
    await review(
      directory,
      {
        url: 'http://insider.seller.test/tips',
        method: 'GET',
        rail: 'x402',
        rating: 5,
        text: 'Best tips there are, says the shop.',
      },
      insider,
    ),
  ]
  const counts = new Map<string, number>()
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1)
  return counts
}

/** Agents pay for posts, on both rails. */
export async function discuss({ directory, tempo }: Scene): Promise<number> {
  const say = (rail: 'x402' | 'mpp', host: string, name: string, text: string) =>
    post(directory, rail, host, text, sampleAccount(name), tempo)
  const hrefs = [
    await say('x402', 'weather.seller.test', 'ada', 'Does the forecast count one call per day or per place?'),
    await say('mpp', 'weather.seller.test', 'bo', 'Per place, as far as I saw: five places were five cents.'),
    await say('mpp', 'translate.seller.test', 'bo', 'Is there a limit on the length of a text?'),
  ]
  return hrefs.length
}
