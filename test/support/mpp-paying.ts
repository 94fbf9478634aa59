import { createHash } from 'node:crypto'
import { Credential as Wire } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import type { Account, Hex } from 'viem'
import type { Tempo } from '../../sandbox/chain/tempo.ts'
import { Problem } from '../../src/domain/problem.ts'
import { createMppRail } from '../../src/payment/mpp/rail.ts'
import { type Credential, isSet, type PaidRequest, type Payment, type PaymentRail } from '../../src/payment/rail.ts'

export const RECIPIENT = '0x1111111111111111111111111111111111111111'
const SECRET = 'a secret of the directory that is long enough'
const HOST = 'api.seller.example'
export const ENOUGH = 200_000n

export interface RailSettings {
  readonly currency: string
  readonly rpcUrl: string
  readonly nowUs?: () => number
  readonly secretKey?: string
  readonly recipient?: string
}

export function openMppRail({ currency, rpcUrl, nowUs, secretKey, recipient }: RailSettings): PaymentRail {
  const opened = createMppRail({
    config: { recipient: recipient ?? RECIPIENT, currency, rpcUrl, secretKey: secretKey ?? SECRET },
    ...{ realm: 'tollbook.example', nowUs: nowUs ?? (() => Date.now() * 1000), callMs: 1_500, settleMs: 3_000 },
  })
  if (!isSet(opened)) throw new Error(`not set: ${opened.missing.join(', ')}`)
  return opened
}

export function requestFor(body = '{"text":"hello"}', authorization?: string, host = HOST): PaidRequest {
  return {
    host,
    resource: `https://tollbook.example/mpp/v1/thread/${host}`,
    bodyDigest: createHash('sha256').update(body).digest('hex'),
    header: (name) => (name === 'authorization' ? authorization : undefined),
  }
}

/** What the real client answers to a demand. */
export async function answerTo(demand: Problem, account: Account, at: Tempo): Promise<string> {
  const client = Mppx.create({ polyfill: false, methods: [tempo.charge({ account, getClient: () => at.client })] })
  return client.createCredential(new Response(null, { status: demand.status, headers: { ...demand.headers } }))
}

export const stored = (credential: Credential, request: PaidRequest): Payment => ({
  ...credential,
  fromBlock: 0,
  resource: request.resource,
})

export async function rejection(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Problem)) throw new Error('rejected with no problem', { cause: error })
  return error
}

export const rawOf = (authorization: string | undefined): Hex => {
  const { payload } = Wire.deserialize<{ signature: Hex }>(authorization ?? '')
  return payload.signature
}
