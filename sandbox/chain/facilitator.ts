import type { IncomingMessage } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'
import type { LocalAccount } from 'viem'
import { openLocalServer } from '../local/local-server.ts'
import { account, type Base, FACILITATOR } from './base.ts'

export interface FacilitatorOptions {
  readonly port?: number
  /** Who pays the gas; by default the chain's account for it. */
  readonly payer?: LocalAccount
  /** Factories from which it deploys smart wallets (ERC-6492). */
  readonly factories?: readonly string[]
}

export interface Facilitator {
  /** For `X402_FACILITATOR_URL`. */
  readonly url: string
  /** How often each endpoint was called. */
  readonly calls: { supported: number; verify: number; settle: number }
  stop(): Promise<void>
}

const CONFIRM_MS = 15_000

/** A facilitator of the local chain over HTTP, for versions 1 and 2 of the protocol, made of the protocol's own parts. */
export async function startFacilitator(base: Base, options: FacilitatorOptions = {}): Promise<Facilitator> {
  const x402 = facilitatorOf(base, options)
  const calls = { supported: 0, verify: 0, settle: 0 }
  const answer = async (path: string, request: IncomingMessage): Promise<unknown> => {
    if (path === '/supported') {
      calls.supported += 1
      return x402.getSupported()
    }
    const { paymentPayload, paymentRequirements } = await bodyOf(request)
    if (path === '/verify') {
      calls.verify += 1
      return x402.verify(paymentPayload, paymentRequirements)
    }
    calls.settle += 1
    return x402.settle(paymentPayload, paymentRequirements)
  }
  const { url, stop } = await openLocalServer((request, response) => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    }
    const path = request.url ?? ''
    if (!['/supported', '/verify', '/settle'].includes(path)) return send(404, { error: 'not found' })
    answer(path, request).then(
      (body) => send(200, body),
      (error: unknown) => send(400, { error: error instanceof Error ? error.message : 'failed' }),
    )
  }, options.port)
  return { url, calls, stop }
}

/** Its parts check what they are given; the types are those of version 2, version 1 passes through the same doors. */
interface Asked {
  readonly paymentPayload: PaymentPayload
  readonly paymentRequirements: PaymentRequirements
}

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** A wallet of the chain as the protocol's own parts use it, to ask the chain and to send to it. */
export function facilitatorSigner(base: Base, payer: LocalAccount = account(base.accounts, FACILITATOR)) {
  // Payments may be settled many at once.
  const wallet = base.walletClient({ ...payer, nonceManager: base.nonceManager })
  const { publicClient } = base
  return toFacilitatorEvmSigner(
    {
      address: wallet.account.address,
      // Some contracts answer nobody but the facilitator that a payer named.
      readContract: (call) => publicClient.readContract({ ...call, account: wallet.account.address }),
      // The exact scheme checks signatures by itself, with and without code at the payer's address.
      verifyTypedData: () => Promise.resolve(false),
      writeContract: ({ gas, dataSuffix, ...call }) =>
        wallet.writeContract({ ...call, ...(gas === undefined ? {} : { gas }), ...(dataSuffix ? { dataSuffix } : {}) }),
      sendTransaction: (transaction) => wallet.sendTransaction(transaction),
      waitForTransactionReceipt: ({ hash, timeout = CONFIRM_MS }) =>
        publicClient.waitForTransactionReceipt({ hash, timeout }),
      getCode: (of) => publicClient.getCode(of),
    },
    { confirmationTimeoutMs: CONFIRM_MS },
  )
}

const facilitatorOf = (base: Base, { payer, factories = [] }: FacilitatorOptions): x402Facilitator =>
  registerExactEvmScheme(new x402Facilitator(), {
    signer: facilitatorSigner(base, payer),
    networks: base.network,
    eip6492AllowedFactories: [...factories],
  })
