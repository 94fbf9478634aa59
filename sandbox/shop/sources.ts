import { priceFromDecimal } from '../../src/domain/money/price.ts'
import type { SampleListing, SampleRoute, SampleSeller, SampleSource } from './seller.ts'
import { SELLERS } from './sellers.ts'

/** Whom each seller has paid, by rail, and in what: sources name it. */
export interface Terms {
  readonly dollar: string
  readonly pathUsd: string
  payeeOf(seller: Pick<SampleSeller, 'host'>): string
}

interface Said {
  readonly seller: SampleSeller
  readonly route: SampleRoute
  readonly listing: SampleListing
}

const saidBy = (source: SampleSource, sellers: readonly SampleSeller[] = SELLERS): Said[] =>
  sellers.flatMap((seller) =>
    seller.routes.flatMap((route) =>
      route.listings.filter((listing) => listing.source === source).map((listing) => ({ seller, route, listing })),
    ),
  )

const baseUnits = (dollars: string | null): string => String(priceFromDecimal(dollars ?? '') ?? '')
const addressOf = ({ seller, route }: Said): string => `http://${seller.host}${route.path}`

/** A facilitator's list, a page at a time. */
export function bazaarPage(terms: Terms, offset: number, limit: number) {
  const all = saidBy('sample-bazaar')
  const items = all.slice(offset, offset + limit).map((said) => ({
    resource: addressOf(said),
    type: 'http',
    x402Version: said.seller.version,
    lastUpdated: new Date().toISOString(),
    description: said.route.about,
    accepts: [
      {
        scheme: 'exact',
        network: said.listing.network,
        ...(said.seller.version === 1
          ? {
              maxAmountRequired: baseUnits(said.listing.price),
              outputSchema: { input: { type: 'http', method: said.route.method } },
            }
          : { amount: baseUnits(said.listing.price) }),
        asset: terms.dollar,
        payTo: terms.payeeOf(said.seller),
        maxTimeoutSeconds: 60,
        extra: { name: 'USDC', version: '2' },
      },
    ],
    extensions: { bazaar: { info: { input: { type: 'http', method: said.route.method } } } },
  }))
  return { x402Version: 2, items, pagination: { limit, offset, total: all.length } }
}

/** The MPP directory: one document. */
export const mppServices = (terms: Terms) => ({
  version: 1,
  services: saidBy('sample-mpp').map((said) => ({
    id: said.seller.host.replace('.seller.test', ''),
    name: said.seller.host,
    url: `http://${said.seller.host}`,
    serviceUrl: `http://${said.seller.host}`,
    status: 'active',
    methods: { tempo: { intents: ['charge'], assets: [terms.pathUsd] } },
    endpoints: [
      {
        method: said.route.method,
        path: said.route.path,
        payment: {
          intent: 'charge',
          method: 'tempo',
          network: said.listing.network,
          currency: terms.pathUsd,
          decimals: 6,
          amount: baseUnits(said.listing.price),
          recipient: terms.payeeOf(said.seller),
        },
      },
    ],
  })),
})

/** An index of both rails, a page at a time. */
export function indexPage(offset: number, limit: number) {
  const all = saidBy('sample-index')
  const services = all.slice(offset, offset + limit).map((said, at) => ({
    id: String(offset + at),
    name: said.seller.host,
    description: said.route.about,
    url: addressOf(said),
    protocol: said.listing.rail,
    price_usd: said.listing.price === null ? null : Number(said.listing.price),
    payment_asset: 'USDC',
    payment_network: said.listing.network,
    http_method: said.route.method,
  }))
  return { services, total: all.length, limit, offset }
}

/** A seller's own documents, where it has them. */
export function openapiOf(seller: SampleSeller): object | undefined {
  const said = saidBy('openapi', [seller])
  if (said.length === 0) return undefined
  const operation = ({ listing, route }: Said) => ({
    summary: route.about,
    responses: { 200: {}, 402: {} },
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: listing.price },
      protocols: [{ x402: { network: listing.network } }],
    },
  })
  const paths = Object.fromEntries(
    said.map((each) => [each.route.path, { [each.route.method.toLowerCase()]: operation(each) }]),
  )
  return { openapi: '3.1.0', info: { title: seller.host, version: '1' }, paths }
}

export function wellKnownOf(seller: SampleSeller, terms: Terms, proof: string): object | undefined {
  const said = saidBy('well-known', [seller])
  if (said.length === 0) return undefined
  const accepts = ({ listing }: Said) => [
    {
      scheme: 'exact',
      network: listing.network,
      asset: terms.dollar,
      payTo: terms.payeeOf(seller),
      maxAmountRequired: baseUnits(listing.price),
    },
  ]
  return {
    version: 1,
    resources: said.map((each) => ({ resource: each.route.path, method: each.route.method, accepts: accepts(each) })),
    ownershipProofs: [proof],
  }
}
