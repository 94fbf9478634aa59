import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Mppx, tempo } from 'mppx/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import { payWithV1 } from '../../sandbox/chain/v1-client.ts'
import type { PaidWorld } from './world.ts'

/** A client as its makers ship it: asks, pays and asks again. */
export type Client = (url: string, init: RequestInit) => Promise<Response>

/** `send` is how its requests leave. */
export type ClientMaker = (chains: Chains, wallet: PrivateKeyAccount, send?: typeof fetch) => Client

type Chains = Pick<PaidWorld, 'base' | 'tempo'>

export const x402v2: ClientMaker = (_chains, wallet, send = fetch) =>
  wrapFetchWithPayment(send, new x402Client().register('eip155:*', new ExactEvmScheme(wallet)))

export const x402v1: ClientMaker = ({ base }, wallet, send = fetch) => payWithV1(base, wallet, send)

export const mpp: ClientMaker = (chains, wallet, send = fetch) => {
  const method = tempo.charge({ account: wallet, mode: 'pull', getClient: () => chains.tempo.client })
  const client = Mppx.create({ polyfill: false, methods: [method], fetch: send })
  return (url, init) => client.fetch(url, { ...init, headers: { ...headersOf(init) } })
}

/** The library writes into the headers that it is given. */
const headersOf = (init: RequestInit): Record<string, string> => Object.fromEntries(new Headers(init.headers))

/** A paid request as a client would have sent it. */
export interface Captured {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

const PAYING = ['payment-signature', 'x-payment', 'authorization']

const MOST_ASKS = 5

/** On a busy machine a node may be slower than a directory waits for it: a demand is then asked for again. */
async function patient(ask: typeof fetch, request: Request): Promise<Response> {
  for (let asked = 1; ; asked++) {
    const answer = await ask(request.clone())
    if (answer.status < 500 || asked === MOST_ASKS) return answer
  }
}

/** Lets a client ask through `ask` and sign, and keeps what it would have paid with from being sent. */
export async function capture(
  maker: ClientMaker,
  chains: Chains,
  wallet: PrivateKeyAccount,
  url: string,
  body: string,
  ask: typeof fetch = fetch,
): Promise<Captured> {
  let captured: Captured | undefined
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const headers = Object.fromEntries(request.headers)
    if (!PAYING.some((name) => name in headers)) return patient(ask, request)
    captured = { url: request.url, headers, body: await request.text() }
    return new Response('{}', { status: 200 })
  }
  await maker(chains, wallet, send)(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (captured === undefined) throw new Error('the client did not pay')
  return captured
}
