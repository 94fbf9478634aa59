import { type Address, type Chain, type Client, createClient, getAddress, type Hex, type Transport } from 'viem'
import { tempoLocalnet } from 'viem/chains'
import { Actions } from 'viem/tempo'
import { developmentAccount } from './development-accounts.ts'
import { type ChainOptions, type RunningChain, transportTo } from './running-chain.ts'
import { type NodeName, startChain } from './start-chain.ts'

/** pathUSD, the dollar that every Tempo network carries at this address. 6 decimals. */
const PATH_USD: Address = '0x20c0000000000000000000000000000000000000'

export interface Tempo extends RunningChain {
  readonly chainId: 1337
  readonly currency: Address
  /** Speaks to the node with Tempo's own kinds of transaction. */
  readonly client: Client<Transport, Chain>
  /** Gives pathUSD, in base units, and is done when it is on chain. Calls wait for each other. */
  fund(address: string, baseUnits: bigint): Promise<Hex>
  balanceOf(address: string): Promise<bigint>
}

export interface TempoOptions extends Pick<ChainOptions, 'port' | 'stateFile'> {
  readonly node?: NodeName
}

/**
 * A local chain with Tempo's rules. A block every second: the chain's own clock, by which transactions expire, stands
 * still in a chain that closes blocks only when it is sent something.
 */
export async function startTempo({ node: name, ...options }: TempoOptions = {}): Promise<Tempo> {
  const chainId = tempoLocalnet.id
  const node = await startChain({ chainId, kind: 'tempo', blockTimeS: 1, ...options }, name)
  const client = createClient({
    chain: { ...tempoLocalnet, rpcUrls: { default: { http: [node.url] } } },
    transport: transportTo(node.url),
    pollingInterval: 100,
  })
  const bank = developmentAccount(0)
  let last: Promise<unknown> = Promise.resolve()
  const fund = (address: string, baseUnits: bigint): Promise<Hex> => {
    const given = last.then(async () => {
      const to = getAddress(address)
      // Enough for a first transfer to an address, so that no estimate is asked for.
      const transfer = { account: bank, amount: baseUnits, to, token: PATH_USD, gas: 2_000_000n } as const
      const { receipt } = await Actions.token.transferSync(client, transfer)
      if (receipt.status !== 'success') throw new Error(`no pathUSD for ${address}: ${receipt.transactionHash} failed`)
      return receipt.transactionHash
    })
    last = given.catch(() => undefined)
    return given
  }
  const balanceOf = async (address: string): Promise<bigint> => {
    const balance = await Actions.token.getBalance(client, { token: PATH_USD, account: getAddress(address) })
    return balance.amount
  }
  return { ...node, chainId, currency: PATH_USD, client, fund, balanceOf }
}
