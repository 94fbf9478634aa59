import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { startBase } from '../../sandbox/chain/base.ts'
import { startFacilitator } from '../../sandbox/chain/facilitator.ts'
import { signPost } from '../../src/client/index.ts'

/** 0.05 dollars in base units. */
export const PRICE = 50_000n

/** A chain, a facilitator and wallets that pay for posts through x402, all on this machine. One for each drill. */
export interface Money {
  wallet(): Promise<PrivateKeyAccount>
  /** Who is paid by one directory. */
  till(): Till
  stop(): Promise<void>
}

export interface Till {
  readonly env: Readonly<Record<string, string>>
  /** What was paid for posts so far. */
  income(): Promise<bigint>
}

export async function startMoney(): Promise<Money> {
  const base = await startBase({ blockTimeS: 1 })
  const facilitator = await startFacilitator(base)
  return {
    wallet: async () => {
      const account = privateKeyToAccount(generatePrivateKey())
      await base.fund(account.address, 10_000n * PRICE)
      return account
    },
    till: () => {
      const payee = privateKeyToAccount(generatePrivateKey()).address
      return {
        env: {
          X402_PAY_TO: payee,
          X402_NETWORKS: 'base-sepolia',
          X402_FACILITATOR_URL: facilitator.url,
          RPC_URLS: `${base.network}=${base.rpcUrl}`,
        },
        income: () => base.balanceOf(payee),
      }
    },
    stop: async () => {
      await facilitator.stop()
      await base.stop()
    },
  }
}

/** A client as its makers ship it. Whoever calls it again with the same post signs a payment anew, and must not be charged. */
export const payingClient = (wallet: PrivateKeyAccount): typeof fetch =>
  wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', new ExactEvmScheme(wallet)))

/** What is sent to post a text, signed once. */
export const postOf = async (
  wallet: PrivateKeyAccount,
  host: string,
  text: string,
  nowMs: number = Date.now(),
): Promise<RequestInit> => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(await signPost(wallet, { host, text, nowMs })),
})
