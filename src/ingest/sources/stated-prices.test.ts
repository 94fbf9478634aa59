import { describe, expect, it } from 'vitest'
import { formatPrice } from '../../domain/money/price.ts'
import { broken, isStated } from '../testing/broken-documents.ts'
import { type Random, randomOf } from '../testing/moving-list.ts'
import {
  AMOUNT_PLACES,
  AMOUNTS,
  ASSETS,
  BESIDE_PLACES,
  CURRENCIES,
  DECIMALS,
  documentOf,
  NETWORKS,
  ROUTES,
  type Statement,
  statedNetwork,
  statedPrice,
} from '../testing/stated-documents.ts'
import {
  INFO_AMOUNTS,
  INFO_ASSETS,
  INFO_CURRENCIES,
  INFO_DECIMALS,
  INFO_FORMS,
  INFO_NETWORKS,
  infoOf,
  PROTOCOLS,
  statedInfoPrice,
} from '../testing/stated-info.ts'
import { parseOpenapi } from './openapi.ts'
import { parseWellKnown } from './well-known.ts'

/** `DOCUMENT_RUNS=1000000 npx vitest run src/ingest/sources/stated-prices.test.ts` is the long run. */
const RUNS = Number(process.env.DOCUMENT_RUNS ?? 10_000)
const SEED = Number(process.env.DOCUMENT_SEED ?? 402)

const base = 'https://shop.example/.well-known/x402'
const parse = (document: unknown) => parseWellKnown(document, { allow: [], base })

const assetNames = ['none', 'symbol', 'known', 'caip', 'unknown'] as const satisfies readonly (keyof typeof ASSETS)[]

/** What the parser reads, beside what is stated. */
function difference(statement: Statement, noise: boolean): string | undefined {
  const document = documentOf(statement, noise)
  const { listings, refused } = parse(document)
  const read = listings.map(({ method, address, price, network }) => `${method} ${address.path} ${price} ${network}`)
  const stated = `${statement.method ?? 'GET'} /v1/route ${statedPrice(statement)} ${statedNetwork(statement)}`
  if (read.length === 1 && read[0] === stated && refused.length === 0) return undefined
  return `${JSON.stringify(document)} states ${stated}, read as ${read.join(', ')} ${JSON.stringify(refused)}`
}

const METHODS = [undefined, 'GET', 'POST'] as const

/** How a network is written has been tried with every other amount. */
const networksOf = (form: Statement['amount']['form']) => (form === 'few' ? (['base'] as const) : NETWORKS)

function anyStatement(random: Random): Statement {
  const pick = <const V extends readonly [unknown, ...unknown[]]>(values: V): V[number] =>
    values[Math.floor(random() * values.length)] ?? values[0]
  return {
    amount: pick(AMOUNTS),
    amountAt: pick(AMOUNT_PLACES),
    asset: pick(assetNames),
    assetAt: pick(BESIDE_PLACES),
    decimals: pick(DECIMALS),
    decimalsAt: pick(BESIDE_PLACES),
    currency: pick(CURRENCIES),
    network: pick(NETWORKS),
    networkAt: pick(BESIDE_PLACES),
    route: pick(ROUTES),
    method: pick(METHODS),
  }
}

describe('a price', () => {
  it('is read from wherever it, its decimals, its asset, the network, the method and the path stand', () => {
    let documents = 0
    const differences: string[] = []
    for (const amount of AMOUNTS)
      for (const amountAt of AMOUNT_PLACES)
        for (const asset of assetNames)
          for (const decimals of DECIMALS)
            for (const currency of CURRENCIES)
              for (const network of networksOf(amount.form)) {
                documents += 1
                const turn = <const V extends readonly [unknown, ...unknown[]]>(values: V, by: number): V[number] =>
                  values[Math.floor(documents / by) % values.length] ?? values[0]
                const fault = difference(
                  {
                    amount,
                    amountAt,
                    asset,
                    decimals,
                    currency,
                    network,
                    assetAt: turn(BESIDE_PLACES, 1),
                    decimalsAt: turn(BESIDE_PLACES, 3),
                    networkAt: turn(BESIDE_PLACES, 2),
                    route: turn(ROUTES, 1),
                    method: turn(METHODS, 1),
                  },
                  documents % 2 === 0,
                )
                if (fault !== undefined) differences.push(fault)
              }
    expect(differences.slice(0, 5)).toEqual([])
    expect(documents).toBe(16_200)
  })

  it('is never read into a document that does not state it', () => {
    const priced = { some: 0, none: 0 }
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomOf(SEED + run * 7_919)
      const statement = anyStatement(random)
      const fault = difference(statement, random() < 0.5)
      if (fault !== undefined) expect.fail(`run ${run} of seed ${SEED}: ${fault}`)
      priced[statedPrice(statement) === null ? 'none' : 'some'] += 1
    }
    expect(Math.min(priced.some, priced.none)).toBeGreaterThan(RUNS / 5)
  })

  it('is one that the document states, when the document is broken too', () => {
    const found = { prices: 0 }
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomOf(SEED + run * 104_729)
      const statement = anyStatement(random)
      const document = broken(documentOf(statement, true), random)
      for (const { price } of parse(document).listings) {
        if (price === null) continue
        found.prices += 1
        if (!isStated(price, document, ASSETS.known, (text) => /USD"|_usd"/.test(text))) {
          expect.fail(`run ${run} of seed ${SEED}: ${formatPrice(price)} is not in ${JSON.stringify(document)}`)
        }
      }
    }
    expect(found.prices).toBeGreaterThan(RUNS / 10)
  })
})

const documented = (info: unknown) =>
  parseOpenapi({ openapi: '3.1.0', paths: { '/v1/route': { post: { 'x-payment-info': info } } } }, { allow: [], base })

describe('a price of an OpenAPI document', () => {
  const statements = INFO_FORMS.flatMap((form) =>
    INFO_AMOUNTS.flatMap((amount) =>
      INFO_CURRENCIES.flatMap((currency) =>
        INFO_DECIMALS.flatMap((decimals) =>
          INFO_ASSETS.flatMap((asset) =>
            INFO_NETWORKS.filter((network) => amount !== 2 || network === 'base').flatMap((network) =>
              PROTOCOLS.map((protocols) => ({ form, amount, currency, decimals, asset, network, protocols })),
            ),
          ),
        ),
      ),
    ),
  )

  it('is read from wherever it, its decimals, its asset, the network and the protocol stand', () => {
    const differences = statements.flatMap((statement) => {
      const info = infoOf(statement)
      const { listings, refused } = documented(info)
      const read = listings.map(({ method, price, network }) => `${method} ${price} ${network}`)
      const stated = `POST ${statedInfoPrice(statement)} ${statement.network ?? null}`
      const isRight = read.length === 1 && read[0] === stated && refused.length === 0
      return isRight ? [] : [`${JSON.stringify(info)} states ${stated}, read as ${read} ${JSON.stringify(refused)}`]
    })
    expect(differences.slice(0, 5)).toEqual([])
    expect(statements).toHaveLength(27_216)
  })

  it('is one that the document states, when the document is broken too', () => {
    let prices = 0
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomOf(SEED + run * 15_485_863)
      const statement = statements[Math.floor(random() * statements.length)]
      const info = statement === undefined ? null : broken(infoOf(statement), random)
      for (const { price } of documented(info).listings) {
        if (price === null) continue
        prices += 1
        // Beside protocols a whole number is dollars.
        if (!isStated(price, info, ASSETS.known, (text) => /USD"|"protocols"/.test(text)))
          expect.fail(`run ${run} of seed ${SEED}: ${formatPrice(price)} is not in ${JSON.stringify(info)}`)
      }
    }
    expect(prices).toBeGreaterThan(RUNS / 10)
  })
})
