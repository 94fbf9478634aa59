import type { IncomingMessage, ServerResponse } from 'node:http'
import { PROOF_PATH } from '../../src/domain/seller/proof.ts'
import { type LocalServer, openLocalServer } from '../local/local-server.ts'
import { moodOf } from './flaky.ts'
import { routeFor, stagesOf } from './lie.ts'
import type { MppGate } from './mpp-gate.ts'
import type { SampleRoute, SampleSeller } from './seller.ts'
import { routeAt, SELLERS } from './sellers.ts'
import { bazaarPage, indexPage, mppServices, openapiOf, type Terms, wellKnownOf } from './sources.ts'
import { speakerOf } from './speakers.ts'
import type { X402Gate } from './x402-gate.ts'

export interface ShopOptions {
  readonly terms: Terms
  readonly x402: X402Gate
  readonly mpp: MppGate
  /** Who sells; those of the sandbox unless given. */
  readonly sellers?: readonly SampleSeller[]
  /** The seller's proof that the host is its own, for its `.well-known` document. */
  proofOf(seller: SampleSeller): string
}

export interface Shops {
  /** All sellers and sources answer here, by the name in the Host header. */
  readonly port: number
  /** The same for those who come from abroad: what the internet does by addresses, this machine does by two ports. */
  readonly abroadPort: number
  stop(): Promise<void>
}

const LATE_MS = 2_500

/** One request on its way to a seller. */
interface Visit {
  readonly url: URL
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  readonly isFromAbroad: boolean
}

/** The sample sellers and the sources that list them, as real servers on two ports of this machine. */
export async function openShops(options: ShopOptions): Promise<Shops> {
  let turns = 0
  const byHost = new Map((options.sellers ?? SELLERS).map((seller) => [seller.host, seller]))
  const open = (isFromAbroad: boolean): Promise<LocalServer> =>
    openLocalServer((request, response) => {
      const shop = { ...options, byHost, turn: () => turns++ }
      void serve(shop, request, response, isFromAbroad).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500)
        response.end(error instanceof Error ? error.message : 'failed')
      })
    })
  const [here, abroad] = [await open(false), await open(true)]
  return {
    port: here.port,
    abroadPort: abroad.port,
    stop: async () => {
      await Promise.all([here.stop(), abroad.stop()])
    },
  }
}

type Shop = ShopOptions & { turn(): number; readonly byHost: ReadonlyMap<string, SampleSeller> }

async function serve(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
  isFromAbroad: boolean,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const visit = { url, request, response, body: Buffer.concat(chunks), isFromAbroad }
  const document = documentAt(shop, url)
  if (document !== undefined) return json(response, 200, document)
  const seller = shop.byHost.get(url.hostname)
  if (seller && url.pathname === PROOF_PATH) {
    response.writeHead(200, { 'Content-Type': 'text/plain' })
    return void response.end(`${shop.terms.payeeOf(speakerOf(seller.host))}\n`)
  }
  const route = seller && routeAt(seller, request.method ?? '', url.pathname)
  if (seller === undefined || route === undefined) return json(response, 404, { error: 'not here' })
  return answer(shop, seller, routeFor(route, request), visit)
}

function documentAt({ terms, proofOf, byHost }: Shop, url: URL): object | undefined {
  const number = (name: string, usual: number): number => Number(url.searchParams.get(name) ?? usual)
  switch (url.hostname) {
    case 'bazaar.seller.test':
      return url.pathname.endsWith('/discovery/resources')
        ? bazaarPage(terms, number('offset', 0), number('limit', 100))
        : undefined
    case 'mpp.seller.test':
      return url.pathname === '/api/services' ? mppServices(terms) : undefined
    case 'index.seller.test':
      return url.pathname === '/api/v1/services' ? indexPage(number('offset', 0), number('limit', 100)) : undefined
    default: {
      const seller = byHost.get(url.hostname)
      if (seller === undefined) return undefined
      if (url.pathname === '/openapi.json') return openapiOf(seller)
      return url.pathname === '/.well-known/x402' ? wellKnownOf(seller, terms, proofOf(seller)) : undefined
    }
  }
}

function answer(shop: Shop, seller: SampleSeller, route: SampleRoute, visit: Visit): void | Promise<void> {
  const { response } = visit
  switch (route.manner) {
    case 'sells':
      return sell(shop, seller, route, visit)
    case 'late':
      return new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(() => sell(shop, seller, route, visit))
    case 'flaky':
      return [
        () => sell(shop, seller, route, visit),
        () => json(response, 503, { error: 'busy' }),
        () => void response.socket?.resetAndDestroy(),
        () => json(response, 200, goods(route)),
      ][moodOf(shop.turn())]?.()
    case 'walled':
      return visit.isFromAbroad ? turnAway(response) : sell(shop, seller, route, visit)
    case 'garbled':
      response.setHeader('PAYMENT-REQUIRED', 'bm90IGpzb24=')
      return json(response, 402, { pay: 'somehow' })
    case 200:
      return json(response, 200, goods(route))
    default:
      return json(response, route.manner, { error: `always ${route.manner}` })
  }
}

/** As Cloudflare does. */
function turnAway(response: ServerResponse): void {
  response.writeHead(403, { 'Content-Type': 'text/html; charset=UTF-8', 'cf-mitigated': 'challenge' })
  response.end('<!DOCTYPE html><title>Just a moment...</title>')
}

async function sell(shop: Shop, seller: SampleSeller, route: SampleRoute, visit: Visit): Promise<void> {
  const { response, url } = visit
  if (route.lie?.leadsTo !== undefined) {
    const location = new URL(url)
    location.hostname = route.lie.leadsTo
    return json(response, 307, {}, { Location: location.href })
  }
  for (const stage of stagesOf(route)) {
    const receipt = await taken(shop, seller, stage, visit)
    if (receipt !== undefined) return hand(shop, seller, stage, visit, receipt)
  }
  forgetPayment(visit)
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
  if (route.rails.includes('mpp')) {
    const asked = await shop.mpp.take(seller, route, asRequest(visit))
    Object.assign(headers, { 'WWW-Authenticate': asked.headers['www-authenticate'] ?? '' })
  }
  const nothing = { headers: {}, body: {} }
  const demand = route.rails.includes('x402') ? await shop.x402.demand(seller, route, url.href) : nothing
  json(response, 402, demand.body, { ...headers, ...demand.headers })
}

/** The receipt of a request that pays what the route asks for. */
async function taken(
  { x402, mpp }: Shop,
  seller: SampleSeller,
  route: SampleRoute,
  visit: Visit,
): Promise<Record<string, string> | undefined> {
  const { headers } = visit.request
  const payment = headers[seller.version === 2 ? 'payment-signature' : 'x-payment']
  if (route.rails.includes('x402') && typeof payment === 'string') {
    const receipt = await x402.take(seller, route, visit.url.href, payment)
    if (receipt !== undefined) return receipt
  }
  if (!route.rails.includes('mpp') || headers.authorization === undefined) return undefined
  const { paid, headers: receipt } = await mpp.take(seller, route, asRequest(visit))
  return paid ? receipt : undefined
}

/** The money is taken: now comes what was sold, or what a liar has in place of it. */
function hand(
  shop: Shop,
  seller: SampleSeller,
  route: SampleRoute,
  visit: Visit,
  receipt: Record<string, string>,
): void | Promise<void> {
  const { response } = visit
  const after = route.lie?.after
  if (after === undefined) return json(response, 200, goods(route), receipt)
  if (after === 'nothing') return void response.socket?.resetAndDestroy()
  if (after === 'an empty 200') return void response.writeHead(200, receipt).end()
  if (typeof after === 'number') return json(response, after, { error: `always ${after} after payment` }, receipt)
  forgetPayment(visit)
  return sell(shop, seller, { ...route, asks: after.asks }, visit)
}

function forgetPayment({ request: { headers } }: Visit): void {
  for (const name of ['payment-signature', 'x-payment', 'authorization']) delete headers[name]
}

const goods = (route: SampleRoute): object => ({ sample: true, sold: `${route.method} ${route.path}`, at: new Date() })

function asRequest({ url, request, body }: Visit): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  const method = request.method ?? 'GET'
  return new Request(url, { method, headers, ...(method === 'GET' ? {} : { body: new Uint8Array(body) }) })
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
