import {
  type Address,
  createTestClient,
  getAddress,
  type Hex,
  http,
  parseAbiItem,
  TransactionReceiptNotFoundError,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { getLogs, getTransactionReceipt } from 'viem/actions'
import { type Base, startBase } from '../../sandbox/chain/base.ts'
import { dollarAbi } from '../../sandbox/chain/contracts.ts'
import { developmentKey } from '../../sandbox/chain/development-accounts.ts'
import { type Facilitator, startFacilitator } from '../../sandbox/chain/facilitator.ts'
import type { NodeName } from '../../sandbox/chain/start-chain.ts'
import { startTempo, type Tempo } from '../../sandbox/chain/tempo.ts'
import type { Credential } from '../../src/payment/rail.ts'
import { PRICE } from './world.ts'

/** A movement of money to us, as a chain tells it. */
export interface Moved {
  readonly network: string
  readonly transaction: string
  readonly from: Address
  readonly amount: bigint
}

/** Both chains with a facilitator, all in order; what stands before them fails. */
export interface RealChains {
  readonly base: Base
  readonly tempo: Tempo
  readonly facilitator: Facilitator
  /** Who is paid, on either chain. */
  readonly payee: Address
  /** Buyers with money on both chains. */
  readonly wallets: readonly PrivateKeyAccount[]
  /** Sends transactions of its own on Base, from any number of runs at once. */
  readonly thirdParty: PrivateKeyAccount
  /** Every movement to the payee there ever was. */
  moved(): Promise<Moved[]>
  /** Whether the chain has used up this authorisation. */
  isUsed(credential: Credential): Promise<boolean>
  /** Moves both chains' clocks ahead. */
  advance(seconds: number): Promise<void>
  /** Closes so many blocks on both chains that all there were are final. */
  makeFinal(): Promise<void>
  stop(): Promise<void>
}

/** What both chains call final is so many blocks old. */
const FINAL_BLOCKS = 70

/** Development accounts that nothing else uses: the first is Tempo's bank and the third party, the last two are Base's. */
const BUYERS = [1, 2, 3, 4, 5, 6, 7]
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

export async function startRealChains({ node = 'javascript' }: { readonly node?: NodeName } = {}): Promise<RealChains> {
  const [base, tempo] = await Promise.all([startBase({ node }), startTempo({ node })])
  const facilitator = await startFacilitator(base)
  const payee = privateKeyToAccount(generatePrivateKey()).address
  // A first transfer to an address costs more gas on Tempo than later ones.
  const first = await tempo.fund(payee, 1n)
  const wallets = BUYERS.map((index) => privateKeyToAccount(developmentKey(index)))
  for (const { address } of wallets) await base.fund(address, 10_000n * PRICE)
  const tempoClock = createTestClient({ mode: 'anvil', transport: http(tempo.url) })
  const everything = { event: TRANSFER, args: { to: payee }, fromBlock: 0n, toBlock: 'latest' } as const

  const isUsed = async ({ network, key, payer }: Credential): Promise<boolean> => {
    const last = toHexText(key.slice(key.lastIndexOf(':') + 1))
    if (network === base.network) {
      const args = [getAddress(payer), last] as const
      const call = { address: base.dollar, abi: dollarAbi, functionName: 'authorizationState', args } as const
      return base.publicClient.readContract(call)
    }
    try {
      return (await getTransactionReceipt(tempo.client, { hash: last })).status === 'success'
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return false
      throw error
    }
  }

  return {
    base,
    tempo,
    facilitator,
    payee,
    wallets,
    thirdParty: privateKeyToAccount(developmentKey(0), { nonceManager: base.nonceManager }),
    isUsed,
    moved: async () => {
      const onBase = await base.publicClient.getLogs({ address: base.dollar, ...everything })
      const onTempo = await getLogs(tempo.client, { address: tempo.currency, ...everything })
      const told = (network: string) => (log: (typeof onBase)[number] | (typeof onTempo)[number]) => ({
        network,
        transaction: log.transactionHash ?? '',
        from: log.args.from ?? '0x',
        amount: log.args.value ?? 0n,
      })
      const all = [...onBase.map(told(base.network)), ...onTempo.map(told(`tempo:${tempo.chainId}`))]
      return all.filter(({ transaction }) => transaction !== first)
    },
    advance: async (seconds) => {
      await base.advance(seconds)
      await tempoClock.increaseTime({ seconds })
      await tempoClock.mine({ blocks: 1 })
    },
    makeFinal: async () => {
      for (const clock of [base.testClient, tempoClock]) await clock.mine({ blocks: FINAL_BLOCKS, interval: 1 })
    },
    stop: async () => {
      await facilitator.stop()
      await Promise.all([base.stop(), tempo.stop()])
    },
  }
}

const toHexText = (text: string): Hex => `0x${text.replace(/^0x/, '')}`
