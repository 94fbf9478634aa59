import { createServer, type IncomingMessage } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import { decodePaymentSignatureHeader, encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http'
import { type FacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { SchemeNetworkFacilitator, SchemeNetworkServer } from '@x402/core/types'
import { BATCH_SETTLEMENT_ADDRESS, PERMIT2_ADDRESS, x402UptoPermit2ProxyAddress } from '@x402/evm'
import { BatchSettlementEvmScheme as BatchFacilitator } from '@x402/evm/batch-settlement/facilitator'
import {
  BatchSettlementEvmScheme as BatchServer,
  BatchSettlementChannelManager,
} from '@x402/evm/batch-settlement/server'
import { UptoEvmScheme as UptoFacilitator } from '@x402/evm/upto/facilitator'
import { UptoEvmScheme as UptoServer } from '@x402/evm/upto/server'
import type { LocalAccount } from 'viem/accounts'
import { account, type Base } from '../../../sandbox/chain/base.ts'
import { facilitatorSigner } from '../../../sandbox/chain/facilitator.ts'
import { portOf } from '../../../sandbox/local/local-server.ts'
import { batchSettlementCode, collectorCode, permit2Code, uptoProxyCode } from './code.ts'

/** Where the kit looks for it. */
const COLLECTOR = '0x4020806089470a89826cB9fB1f4059150b550004'
/** Of the development accounts. */
const AUTHORIZER = 7

/** The stand-ins for what no package carries, where the kit looks for them. */
export async function plantEscrows({ testClient }: Base): Promise<void> {
  const planted = [
    [BATCH_SETTLEMENT_ADDRESS, batchSettlementCode],
    [COLLECTOR, collectorCode],
    [PERMIT2_ADDRESS, permit2Code],
    [x402UptoPermit2ProxyAddress, uptoProxyCode],
  ] as const
  for (const [address, { runtime }] of planted) await testClient.setCode({ address, bytecode: runtime })
}

export interface LaterShop {
  readonly url: string
  stop(): Promise<void>
}

interface Schemes {
  readonly facilitator: SchemeNetworkFacilitator
  readonly server: SchemeNetworkServer
  /** In dollars: what is asked for. */
  readonly price: string
  /** In base units: what is taken of it, where that is not all. */
  readonly takes?: string
}

/** A seller of the stock kit that is paid by these schemes, over HTTP. */
async function openShop(base: Base, payTo: string, { facilitator, server: scheme, price, takes }: Schemes) {
  const x402 = new x402Facilitator().register(base.network, facilitator)
  const client: FacilitatorClient = {
    verify: (payload, requirements) => x402.verify(payload, requirements),
    settle: (payload, requirements) => x402.settle(payload, requirements),
    getSupported: async () => JSON.parse(JSON.stringify(x402.getSupported())),
  }
  const resources = new x402ResourceServer(client).register(base.network, scheme)
  await resources.initialize()
  const asked = { scheme: scheme.scheme, network: base.network, payTo, price: `$${price}`, maxTimeoutSeconds: 60 }
  const accepts = await resources.buildPaymentRequirements(asked)

  const answer = async (request: IncomingMessage): Promise<[number, Record<string, string>]> => {
    const sent = request.headers['payment-signature']
    const resource = { url: `http://${request.headers.host}${request.url}`, description: '', mimeType: 'text/plain' }
    const [requirements] = accepts
    if (typeof sent === 'string' && requirements !== undefined) {
      const payload = decodePaymentSignatureHeader(sent)
      const verified = await resources.verifyPayment(payload, requirements)
      if (!verified.isValid) throw new Error(verified.invalidReason)
      const settled = await resources.settlePayment(
        payload,
        requirements,
        undefined,
        undefined,
        takes === undefined ? undefined : { amount: takes },
      )
      if (!settled.success) throw new Error(`${settled.errorReason}: ${settled.errorMessage}`)
      return [200, { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(settled) }]
    }
    const demand = await resources.createPaymentRequiredResponse(accepts, resource)
    return [402, { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader(demand) }]
  }
  const server = createServer((request, response) => {
    answer(request).then(
      ([status, headers]) => response.writeHead(status, headers).end('sold'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/quote`,
    client,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export interface BatchShop extends LaterShop {
  /** Claims what the vouchers so far are worth; its transaction. */
  claim(): Promise<string>
  /** Has what is claimed paid out. */
  settle(): Promise<string>
  /** Gives every buyer the rest of its deposit back. */
  refund(): Promise<void>
}

/** A seller that takes vouchers and claims them when it likes. */
export async function openBatchShop(base: Base, payTo: LocalAccount, price: string): Promise<BatchShop> {
  const authorizer = account(base.accounts, AUTHORIZER)
  const scheme = new BatchServer(payTo.address, { receiverAuthorizerSigner: authorizer })
  const facilitator = new BatchFacilitator(facilitatorSigner(base), authorizer)
  const { client, ...shop } = await openShop(base, payTo.address, { facilitator, server: scheme, price })
  const manager = new BatchSettlementChannelManager({
    ...{ scheme, facilitator: client, receiver: payTo.address, token: base.dollar, network: base.network },
  })
  return {
    ...shop,
    claim: async () => (await manager.claim())[0]?.transaction ?? '',
    settle: async () => (await manager.settle()).transaction,
    refund: async () => void (await manager.refund()),
  }
}

/** A seller that is allowed a price and takes so many base units of it. */
export async function openUptoShop(base: Base, payTo: string, price: string, takes: string): Promise<LaterShop> {
  const facilitator = new UptoFacilitator(facilitatorSigner(base))
  return openShop(base, payTo, { facilitator, server: new UptoServer(), price, takes })
}
