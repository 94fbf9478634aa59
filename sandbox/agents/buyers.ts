import { request as httpRequest, type IncomingMessage } from 'node:http'
import { arrayBuffer } from 'node:stream/consumers'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import type { LocalAccount } from 'viem'
import type { Guard } from '../../src/client/guard/index.ts'
import type { Tempo } from '../chain/tempo.ts'
import { BASE, TEMPO } from '../shop/seller.ts'

/** A purchase that went through, as a review names it. */
export interface Purchase {
  readonly network: string
  readonly transaction: string
}

type Fetch = typeof fetch

/** Whatever name is asked for, the sample sellers answer. They lead nobody elsewhere, so nothing is followed. */
export const fetchFrom =
  (port: number): Fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { host, pathname, search } = new URL(request.url)
    const asked = Buffer.from(await request.arrayBuffer())
    const outgoing = httpRequest({
      ...{ host: '127.0.0.1', port, method: request.method, path: `${pathname}${search}` },
      // A connection of its own: a kept one may be closed by the time it is used.
      agent: false,
      headers: { ...Object.fromEntries(request.headers), host },
    })
    const answer = await new Promise<IncomingMessage>((found, failed) => {
      outgoing.once('response', found).once('error', failed).end(asked)
    })
    const body = await arrayBuffer(answer)
    const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const copy = new Response(body.byteLength === 0 ? null : body, { status: answer.statusCode ?? 0, headers })
    return Object.defineProperty(copy, 'url', { value: request.url })
  }

const notSold = async (url: string, answer: Response): Promise<Error> =>
  new Error(`${url} was not sold: HTTP ${answer.status} ${(await answer.text()).slice(0, 500)}`)

/** Pays through x402 with the rail's own client; with a guard, asks it before. */
export async function buyByX402(account: LocalAccount, fetch: Fetch, url: string, guard?: Guard): Promise<Purchase> {
  const client = new x402HTTPClient(new x402Client().register('eip155:*', new ExactEvmScheme(account)))
  const pay = guard ? wrapFetchWithPayment(guard.fetch(fetch), guard.x402(client)) : wrapFetchWithPayment(fetch, client)
  const answer = await pay(url)
  const receipt = answer.headers.get('PAYMENT-RESPONSE')
  if (answer.status !== 200 || receipt === null) throw await notSold(url, answer)
  return { network: BASE, transaction: decodePaymentResponseHeader(receipt).transaction }
}

/** Pays through mpp with the rail's own client; with a guard, asks it before. */
export async function buyByMpp(
  account: LocalAccount,
  fetch: Fetch,
  chain: Pick<Tempo, 'client'>,
  url: string,
  body: object,
  guard?: Guard,
): Promise<Purchase> {
  const create = guard ? guard.mppx(Mppx.create) : Mppx.create
  const client = create({
    polyfill: false,
    fetch,
    methods: [tempo.charge({ account, getClient: () => chain.client })],
  })
  const answer = await client.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 200) throw await notSold(url, answer)
  return { network: TEMPO, transaction: Receipt.fromResponse(answer).reference }
}
