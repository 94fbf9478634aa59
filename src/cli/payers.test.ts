import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from '@x402/core/http'
import type { Network, PaymentRequirements } from '@x402/core/types'
import { authorizationTypes } from '@x402/evm'
import { Challenge, Receipt } from 'mppx'
import { getAddress, type Hex, isHex, type LocalAccount, recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTempo, type Tempo } from '../../sandbox/chain/tempo.ts'
import { formatPrice } from '../domain/money/price.ts'
import { Problem } from '../domain/problem.ts'
import type { Rail } from '../domain/route.ts'
import { createMppRail } from '../payment/mpp/rail.ts'
import { isSet, type PaidRequest } from '../payment/rail.ts'
import { clientProblem } from './client-problem.ts'
import { createPayer } from './payers.ts'

const RECIPIENT = '0x1111111111111111111111111111111111111111'
const BODY = '{"text":"hello"}'
const account = privateKeyToAccount(generatePrivateKey())

interface Door {
  readonly url: string
  /** Payment headers that came, in order. */
  readonly seen: (string | undefined)[]
}

type Answer = { status: number; headers: Readonly<Record<string, string>>; document: unknown }

const servers: Server[] = []

async function open(
  header: string,
  answer: (value: string | undefined, body: string) => Promise<Answer>,
): Promise<Door> {
  const seen: (string | undefined)[] = []
  const take = async (call: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const value = call.headers[header]
    const credential = typeof value === 'string' ? value : undefined
    seen.push(credential)
    const { status, headers, document } = await answer(credential, await text(call))
    reply.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(document))
  }
  const server = createServer((call, reply) => void take(call, reply))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`, seen }
}

interface PayRequest {
  readonly url: string
  readonly body: string
  readonly account: LocalAccount
  readonly rpcUrl?: string
  /** Millionths of a dollar. */
  readonly maxCost: number
  readonly fetch: typeof globalThis.fetch
}

type ReceiptIn = (headers: Headers) => { readonly transaction: string } | null

/** One request, paid for when it asks for it, and what came of it. */
async function pay(rail: Rail, receiptIn: ReceiptIn, { url, body, account, rpcUrl, maxCost, fetch }: PayRequest) {
  const payer = createPayer(rail, { account, rpcUrl, maxPrice: formatPrice(maxCost) })
  const send = (paying = {}) => fetch(url, { method: 'POST', headers: paying, body })
  let answer = await send()
  if (answer.status === 402) answer = await send(await (await payer.quote(answer.headers)).sign())
  return { status: answer.status, document: await answer.json(), receipt: receiptIn(answer.headers) }
}

const payMpp = (request: PayRequest) =>
  pay(
    'mpp',
    (headers) => {
      const receipt = headers.get('payment-receipt')
      return receipt === null ? null : { transaction: Receipt.deserialize(receipt).reference }
    },
    request,
  )

const payX402 = (request: PayRequest) =>
  pay(
    'x402',
    (headers) => {
      const receipt = headers.get('payment-response')
      return receipt === null ? null : { transaction: decodePaymentResponseHeader(receipt).transaction }
    },
    request,
  )

const refusalOf = async (promise: Promise<unknown>): Promise<Problem> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => clientProblem(reason, 'no answer'),
  )
  if (!(error instanceof Problem)) throw new Error('not refused', { cause: error })
  return error
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

describe('paying through mpp', () => {
  let chain: Tempo
  beforeAll(async () => {
    chain = await startTempo()
    await chain.fund(account.address, 200_000n)
  })
  afterAll(() => chain.stop())

  /** The directory's own rail behind one address. */
  function door(): Promise<Door> {
    const config = { recipient: RECIPIENT, currency: chain.currency, rpcUrl: chain.url, secretKey: 'k'.repeat(32) }
    const rail = createMppRail({ config, realm: 'tollbook.example', nowUs: () => Date.now() * 1000 })
    if (!isSet(rail)) throw new Error('not set')
    return open('authorization', async (authorization, body) => {
      const request: PaidRequest = {
        host: 'api.seller.example',
        resource: 'https://tollbook.example/mpp/v1/thread/api.seller.example',
        bodyDigest: createHash('sha256').update(body).digest('hex'),
        header: () => authorization,
      }
      const credential = await rail.read(request)
      if (!credential) {
        const { status, headers, more } = await rail.demand(request)
        return { status, headers, document: more }
      }
      const checked = await rail.check(credential, request)
      if (!checked.ok) return { status: 402, headers: {}, document: checked }
      const payment = { ...credential, fromBlock: checked.fromBlock, resource: request.resource }
      const outcome = await rail.settle(payment)
      const settled = { ...credential, transaction: credential.key, settledUs: Date.now() * 1000 }
      return { status: 201, headers: rail.receipt(settled, request), document: outcome }
    })
  }

  it('moves the price and hands back the receipt', async () => {
    const { url } = await door()
    const before = await chain.balanceOf(RECIPIENT)
    const paid = await payMpp({ url, body: BODY, account, rpcUrl: chain.url, maxCost: 50_000, fetch })
    expect(paid).toMatchObject({ status: 201, document: { kind: 'paid', transaction: paid.receipt?.transaction } })
    expect(paid.receipt?.transaction).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await chain.balanceOf(RECIPIENT)).toBe(before + 50_000n)
  })

  it('signs nothing when the price is a millionth above the limit', async () => {
    const { url, seen } = await door()
    const refusal = await refusalOf(payMpp({ url, body: BODY, account, rpcUrl: chain.url, maxCost: 49_999, fetch }))
    expect(refusal.detail).toBe('it costs 0.050000 dollars, more than the limit of 0.049999')
    expect(seen).toEqual([undefined])
  })

  it('names the option for a node where the network has no public one', async () => {
    const { url, seen } = await door()
    const refusal = await refusalOf(payMpp({ url, body: BODY, account, maxCost: 50_000, fetch }))
    expect(refusal).toMatchObject({ detail: 'no public node of tempo:1337 is known', hint: 'name one with --rpc-url' })
    expect(seen).toEqual([undefined])
  })

  it('signs nothing for money that is no known dollar, nor for a network that its node is not of', async () => {
    const challenge = (currency: string, chainId: number): Answer => {
      const request = { amount: '1', currency, recipient: RECIPIENT, methodDetails: { chainId } }
      const asked = Challenge.from({ id: '1', realm: 'a.example', method: 'tempo', intent: 'charge', request })
      return { status: 402, headers: { 'WWW-Authenticate': Challenge.serialize(asked) }, document: {} }
    }
    const token = '0x20c000000000000000000000000000000000beef'
    const odd = await open('authorization', async () => challenge(token, 1337))
    const far = await open('authorization', async () => challenge(chain.currency, 4217))
    const payer = { body: BODY, account, rpcUrl: chain.url, maxCost: 1_000_000, fetch }
    expect((await refusalOf(payMpp({ ...payer, url: odd.url }))).detail).toContain('not a known dollar')
    expect((await refusalOf(payMpp({ ...payer, url: far.url }))).detail).toContain('not of tempo:4217')
    expect([...odd.seen, ...far.seen]).toEqual([undefined, undefined])
  })

  it('hands back an answer that asks for nothing as it is', async () => {
    const { url } = await open('authorization', async () => ({ status: 404, headers: {}, document: { title: 'No' } }))
    const paid = await payMpp({ url, body: BODY, account, maxCost: 50_000, fetch })
    expect(paid).toEqual({ status: 404, document: { title: 'No' }, receipt: null })
  })
})

describe('paying through x402', () => {
  const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  const network: Network = 'eip155:84532'
  const offer = {
    scheme: 'exact',
    network,
    asset: USDC,
    amount: '50000',
    payTo: RECIPIENT,
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
  } satisfies PaymentRequirements
  const resource = {
    url: 'https://tollbook.example/v1/thread/a.example',
    description: '',
    mimeType: 'application/json',
  }
  const hex = z.custom<Hex>(isHex)
  const whole = z.string().transform(BigInt)
  const signed = z.object({
    signature: hex,
    authorization: z.object({ from: hex, to: hex, value: whole, validAfter: whole, validBefore: whole, nonce: hex }),
  })
  const transaction = `0x${'ab'.repeat(32)}`

  const door = (...accepts: PaymentRequirements[]): Promise<Door> =>
    open('payment-signature', async (header) =>
      header === undefined
        ? {
            status: 402,
            headers: { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader({ x402Version: 2, resource, accepts }) },
            document: {},
          }
        : {
            status: 201,
            headers: {
              'PAYMENT-RESPONSE': encodePaymentResponseHeader({ success: true, transaction, network: offer.network }),
            },
            document: { id: '1' },
          },
    )

  it('signs the one transfer that was asked, and hands back the receipt', async () => {
    const { url, seen } = await door(offer)
    const paid = await payX402({ url, body: BODY, account, maxCost: 50_000, fetch })
    expect(paid).toEqual({ status: 201, document: { id: '1' }, receipt: { transaction } })
    const { payload, accepted } = decodePaymentSignatureHeader(seen[1] ?? '')
    expect(accepted).toMatchObject({ amount: '50000', payTo: RECIPIENT })
    const { authorization, signature } = signed.parse(payload)
    expect(authorization).toMatchObject({ from: account.address, to: RECIPIENT, value: 50_000n })
    const signer = await recoverTypedDataAddress({
      domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: USDC },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
      signature,
    })
    expect(signer).toBe(getAddress(account.address))
  })

  it('signs nothing above the limit, and nothing in money that is no known dollar', async () => {
    const dear = await door(offer)
    const odd = await door({ ...offer, asset: RECIPIENT })
    const payer = { body: BODY, account, fetch }
    const over = await refusalOf(payX402({ ...payer, url: dear.url, maxCost: 10_000 }))
    expect(over.detail).toBe('it costs 0.050000 dollars, more than the limit of 0.010000')
    const strange = await refusalOf(payX402({ ...payer, url: odd.url, maxCost: 1_000_000 }))
    expect(strange.detail).toContain('not a known dollar')
    expect([...dear.seen, ...odd.seen]).toEqual([undefined, undefined])
  })

  it('takes the offer in a known dollar among several', async () => {
    const { url, seen } = await door({ ...offer, asset: RECIPIENT }, offer)
    expect((await payX402({ url, body: BODY, account, maxCost: 50_000, fetch })).status).toBe(201)
    expect(decodePaymentSignatureHeader(seen[1] ?? '').accepted.asset).toBe(USDC)
  })

  it('signs nothing for an answer that names no offer', async () => {
    const { url, seen } = await open('payment-signature', async () => ({ status: 402, headers: {}, document: {} }))
    const refusal = await refusalOf(payX402({ url, body: BODY, account, maxCost: 50_000, fetch }))
    expect(refusal.detail).toContain('no payment that can be made here')
    expect(seen).toEqual([undefined])
  })
})
