import { createServer } from 'node:http'
import { Credential } from 'mppx'
import { sessionManager } from 'mppx/client'
import { Mppx, Request as Requests, Store, tempo } from 'mppx/server'
import { createTestClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { sendTransactionSync } from 'viem/actions'
import { Actions } from 'viem/tempo'
import { z } from 'zod'
import { developmentAccount } from '../../../sandbox/chain/development-accounts.ts'
import type { Tempo } from '../../../sandbox/chain/tempo.ts'
import { portOf } from '../../../sandbox/local/local-server.ts'
import { TEMPO_CHANNELS } from '../../../src/payment/proof/channels/escrows.ts'
import { tempoChannelsCode } from './code.ts'

const TELL = parseAbi(['function tell(bytes32 opening)'])
const GAS = 2_000_000n
const DEPOSIT = 1_000_000n
const OPENING = z.object({ action: z.literal('open'), descriptor: z.object({ expiringNonceHash: z.string() }) })

/** The stand-in for what is part of a real Tempo chain. */
export const plantChannels = ({ url }: Tempo): Promise<void> =>
  createTestClient({ mode: 'anvil', transport: http(url) }).setCode({
    address: TEMPO_CHANNELS,
    bytecode: tempoChannelsCode.runtime,
  })

export interface SessionShop {
  readonly url: string
  /** Has the newest voucher of a channel paid; its transaction. */
  settle(channel: Hex): Promise<Hex>
  stop(): Promise<void>
}

/** A seller of the stock kit that sells by the session. */
export async function openSessionShop(chain: Tempo, payee: PrivateKeyAccount, price: string): Promise<SessionShop> {
  const store = Store.memory()
  const mppx = Mppx.create({
    realm: 'sessions.seller.test',
    secretKey: 'a secret of at least thirty-two bytes',
    methods: [
      tempo.session({
        ...{ account: payee, currency: chain.currency, amount: price, unitType: 'call', store },
        suggestedDeposit: '1',
        getClient: () => chain.client,
      }),
    ],
  })
  const server = createServer(
    Requests.toNodeListener(async (request) => {
      const answer = await mppx.tempo.session({})(request)
      return answer.status === 402 ? answer.challenge : answer.withReceipt(new Response('sold'))
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/quote`,
    settle: (channel) => tempo.settle(store, chain.client, channel, { account: payee }),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** A buyer with the stock client. What a real chain knows of an opening by itself is told to the stand-in before it comes. */
export async function sessionBuyer(chain: Tempo, account: PrivateKeyAccount) {
  await chain.fund(account.address, 10n * DEPOSIT)
  await Actions.token.approveSync(chain.client, {
    ...{ account, token: chain.currency, spender: TEMPO_CHANNELS, amount: 10n * DEPOSIT, gas: GAS },
  })
  const bank = developmentAccount(1)
  const told: typeof fetch = async (input, init) => {
    const sent = new Headers(init?.headers).get('authorization')
    const opening = sent === null ? undefined : OPENING.safeParse(Credential.deserialize(sent).payload)
    if (opening?.success) {
      const hash: Hex = `0x${opening.data.descriptor.expiringNonceHash.slice(2)}`
      const data = encodeFunctionData({ abi: TELL, functionName: 'tell', args: [hash] })
      await sendTransactionSync(chain.client, { account: bank, to: TEMPO_CHANNELS, data, gas: GAS, chain: null })
    }
    return fetch(input, init)
  }
  return sessionManager({ account, client: chain.client, maxDeposit: '1', fetch: told })
}
