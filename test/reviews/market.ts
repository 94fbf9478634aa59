import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalAccount } from 'viem'
import { z } from 'zod'
import { payeeOf, sampleAccount } from '../../sandbox/accounts.ts'
import { buyByMpp, buyByX402, fetchFrom, type Purchase } from '../../sandbox/agents/buyers.ts'
import { account, FACILITATOR, startBase } from '../../sandbox/chain/base.ts'
import { startFacilitator } from '../../sandbox/chain/facilitator.ts'
import { startTempo } from '../../sandbox/chain/tempo.ts'
import { LIARS } from '../../sandbox/shop/liars.ts'
import { mppGate } from '../../sandbox/shop/mpp-gate.ts'
import { SELLERS } from '../../sandbox/shop/sellers.ts'
import { openShops } from '../../sandbox/shop/server.ts'
import { x402Gate } from '../../sandbox/shop/x402-gate.ts'
import { formatSignedAt } from '../../src/wire/signed-at.ts'
import { reviewMessage } from '../../src/wire/signed-lines.ts'
import { startFaultyNode } from '../support/faulty-node.ts'
import { serving, tollbook } from '../support/program.ts'

/** The two routes that are bought and reviewed, as they are listed. */
export const FORECAST = { method: 'GET', url: 'http://weather.seller.test/v1/forecast', rail: 'x402' } as const
/** Listed beside it, with the same payee. */
export const HISTORY = { ...FORECAST, url: 'http://weather.seller.test/v1/history' } as const
export const TRANSLATE = { method: 'POST', url: 'http://translate.seller.test/translate', rail: 'mpp' } as const
/** Takes the money and answers 500. */
export const FAILING = { ...FORECAST, url: 'http://fails-after.seller.test/quote' } as const
const FAILING_SELLER = payeeOf({ host: 'fails-after.seller.test' })
export const SELLER = payeeOf({ host: 'weather.seller.test' })
const MPP_SELLER = payeeOf({ host: 'translate.seller.test' })
/** Of a forecast, in base units. */
export const PRICE = 20_000n

export type Market = Awaited<ReturnType<typeof openMarket>>

/** A seller on each rail, their chains, and a whole directory that knows them and reads the chains through a node that can be cut. */
export async function openMarket(dataDir: string) {
  const base = await startBase({ blockTimeS: 1 })
  const tempo = await startTempo()
  const node = await startFaultyNode(base.rpcUrl)
  const facilitator = await startFacilitator(base)
  const payee = (seller: { readonly host: string }) => payeeOf(seller).address
  const shops = await openShops({
    terms: { dollar: base.dollar, pathUsd: tempo.currency, payeeOf: payee },
    x402: x402Gate({ facilitatorUrl: facilitator.url, dollar: base.dollar, payeeOf: payee }),
    mpp: mppGate({ chain: tempo, secretKey: 'k'.repeat(32), payeeOf: payee }),
    proofOf: () => '',
    sellers: [...SELLERS, LIARS['an HTTP 500 for the money']],
  })
  const env = { DATA_DIR: dataDir, ALLOW_HOSTS: '*.seller.test' }
  const file = join(dataDir, 'records.ndjson')
  writeFileSync(
    file,
    records(base.dollar, tempo.currency)
      .map((record) => JSON.stringify(record))
      .join('\n'),
  )
  const imported = await tollbook(['import', file], env)
  if (imported.code !== 0) throw new Error(imported.err)
  const RPC_URLS = `eip155:84532=${node.url},tempo:1337=${tempo.url}`
  const server = await serving({ ...env, RPC_URLS, PROBE_OPT_OUT: '*.test' })
  const fetch = fetchFrom(shops.port)

  return {
    base,
    node,
    address: server.address,
    facilitatorAccount: account(base.accounts, FACILITATOR),
    /** Somebody new, with dollars on both chains. */
    async buyer(name: string): Promise<LocalAccount> {
      const buyer = sampleAccount(name)
      await base.fund(buyer.address, 1_000_000n)
      await base.testClient.setBalance({ address: buyer.address, value: 10n ** 18n })
      return buyer
    },
    /** To sellers, by their names. */
    fetch,
    buyForecast: (buyer: LocalAccount): Promise<Purchase> => buyByX402(buyer, fetch, FORECAST.url),
    async buyTranslation(buyer: LocalAccount): Promise<Purchase> {
      await tempo.fund(buyer.address, 1_000_000n)
      return buyByMpp(buyer, fetch, tempo, TRANSLATE.url, { text: 'hello' })
    },
    confirm: () => base.testClient.mine({ blocks: 3 }),
    review: (by: LocalAccount, what: Reviewed) => submit(server.address, by, what),
    page: async (path: string) => (await globalThis.fetch(`${server.address}${path}`)).text(),
    async read(id: string) {
      return REVIEW.parse(await (await globalThis.fetch(`${server.address}/v1/reviews/${id}`)).json())
    },
    async stop(): Promise<void> {
      await server.stop()
      await shops.stop()
      await facilitator.stop()
      await node.stop()
      await tempo.stop()
      await base.stop()
    },
  }
}

function records(dollar: string, pathUsd: string): object[] {
  const observed = { first_observed: '2026-01-01T00:00:00.000000Z', last_observed: new Date().toISOString() }
  const listing = { kind: 'listing', source: 'my-list', label: 'directory-observed', ...observed }
  const payee = { kind: 'payee', origin: 'listing', ...observed }
  return [
    { ...listing, ...FORECAST, price: '0.020000', network: 'base-sepolia' },
    { ...payee, ...FORECAST, network: 'base-sepolia', payee: SELLER.address, asset: dollar },
    { ...listing, ...HISTORY, price: '0.020000', network: 'base-sepolia' },
    { ...payee, ...HISTORY, network: 'base-sepolia', payee: SELLER.address, asset: dollar },
    { ...listing, ...FAILING, price: '0.010000', network: 'base-sepolia' },
    { ...payee, ...FAILING, network: 'base-sepolia', payee: FAILING_SELLER.address, asset: dollar },
    { ...listing, ...TRANSLATE, price: '0.005000', network: 'tempo:1337' },
    { ...payee, ...TRANSLATE, network: 'tempo:1337', payee: MPP_SELLER.address, asset: pathUsd },
  ]
}

export interface Reviewed {
  readonly route: typeof FORECAST | typeof HISTORY | typeof TRANSLATE
  readonly payment: Purchase
  readonly receipt?: object
}

const REVIEW = z.looseObject({
  id: z.string(),
  level: z.string(),
  level_reason: z.string().nullish(),
  counts_as_agent_review: z.boolean(),
})

let submitted = 0

/** Signs and submits a review as any agent does. Each has a text of its own, so that none is a repetition. */
async function submit(address: string, by: LocalAccount, { route, payment, receipt }: Reviewed) {
  submitted += 1
  const said = { ...route, rating: 4, text: `Answered in time, ${submitted}.`, payment }
  const signedAt = formatSignedAt(Date.now() * 1000)
  const signature = await by.signMessage({ message: reviewMessage({ ...said, signedAt }) })
  const body = { ...said, wallet: by.address, signature, signed_at: signedAt, ...(receipt ? { receipt } : {}) }
  const answer = await fetch(`${address}/v1/reviews`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`the review was refused: ${text}`)
  return REVIEW.parse(JSON.parse(text))
}
