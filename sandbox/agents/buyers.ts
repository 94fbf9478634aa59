import { connect } from 'node:net'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { Agent, fetch as undiciFetch } from 'undici'
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

/** Whatever name is asked for, the sample sellers answer. */
export function fetchFrom(port: number): Fetch {
  const dispatcher = new Agent({
    connect: (_, callback) => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.once('connect', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  })
  // Undici's own fetch and the one of Node are the same program with two sets of types.
  return (async (input: Request | string | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
    const answer = await undiciFetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      body,
      dispatcher,
    })
    const copy = new Response(await answer.arrayBuffer(), { status: answer.status, headers: [...answer.headers] })
    return Object.defineProperty(copy, 'url', { value: answer.url })
  }) satisfies Fetch
}

/** Pays through x402 with the rail's own client; with a guard, asks it before. */
export async function buyByX402(account: LocalAccount, fetch: Fetch, url: string, guard?: Guard): Promise<Purchase> {
  const client = new x402HTTPClient(new x402Client().register('eip155:*', new ExactEvmScheme(account)))
  const pay = guard ? wrapFetchWithPayment(guard.fetch(fetch), guard.x402(client)) : wrapFetchWithPayment(fetch, client)
  const answer = await pay(url)
  const receipt = answer.headers.get('PAYMENT-RESPONSE')
  if (answer.status !== 200 || receipt === null) throw new Error(`${url} was not sold: HTTP ${answer.status}`)
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
  if (answer.status !== 200) throw new Error(`${url} was not sold: HTTP ${answer.status}`)
  return { network: TEMPO, transaction: Receipt.fromResponse(answer).reference }
}
