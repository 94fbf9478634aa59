import { createClient } from '../../src/client/client.ts'
import {
  type StatementToSign,
  signClaim,
  signStatement,
  submitClaim,
  submitStatement,
} from '../../src/client/sellers.ts'
import { payeeOf } from '../accounts.ts'
import { speakerOf } from '../shop/speakers.ts'
import type { Scene } from './play.ts'

const WEATHER = 'weather.seller.test'
const DISAGREE = 'disagree.seller.test'
const GONE = 'gone.seller.test'
const PICKY = 'picky.seller.test'
const QUOTES = 'quotes.seller.test'

type Said = Pick<StatementToSign, 'kind' | 'about' | 'text'>

/** Sellers claim their pages, answer, dispute, retire a route and move a host. Answers how much was said anew. */
export async function speak({ directory: baseUrl }: Scene): Promise<number> {
  const client = createClient({ baseUrl })
  const directory = new URL(baseUrl).host
  let said = 0
  const claim = async (host: string): Promise<void> => {
    const claims = (await client.statements(host)).claims
    if (claims.length === 0) await submitClaim(client, await signClaim(payeeOf(speakerOf(host)), { host, directory }))
  }
  const say = async (host: string, statement: Said): Promise<void> => {
    const { statements } = await client.statements(host)
    if (statements.some(({ kind, about }) => kind === statement.kind && about === statement.about)) return
    const body = await signStatement(payeeOf(speakerOf(host)), { ...statement, host, directory })
    await submitStatement(client, host, body)
    said += 1
  }

  for (const host of [WEATHER, DISAGREE, GONE, QUOTES, PICKY]) await claim(host)
  const { reviews } = await client.reviews(WEATHER)
  const complaint = reviews.find(({ text }) => text.includes('only three days'))
  if (complaint) {
    const text = 'Five days are back since this morning; sorry.'
    await say(WEATHER, { kind: 'reply', about: `review ${complaint.id}`, text })
  }
  await say(WEATHER, { kind: 'contact', about: WEATHER, text: 'Questions: help@weather.seller.test' })
  const text = 'The index is wrong: it is 0.01 on Base, and was never on Solana.'
  await say(DISAGREE, { kind: 'correct', about: `GET http://${DISAGREE}/data x402 sample-index`, text })
  await say(GONE, { kind: 'retire', about: `GET http://${GONE}/old x402`, text: 'Replaced by nothing.' })
  await say(PICKY, { kind: 'moved', about: QUOTES, text: 'Uploads went; quotes stay.' })
  return said
}
