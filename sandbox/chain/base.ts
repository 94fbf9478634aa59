import {
  type Account,
  type Address,
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type PublicClient,
  type TestClient,
  type Transport,
  type WalletClient,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { NonceManager } from 'viem/nonce'
import { dollarAbi, dollarCode, multicallCode } from './contracts.ts'
import { developmentAccount } from './development-accounts.ts'
import { createNonces } from './nonces.ts'
import { type ChainOptions, type RunningChain, transportTo } from './running-chain.ts'
import { type NodeName, startChain } from './start-chain.ts'

/** Base Sepolia's USDC: clients that know the network look for it there. */
const BASE_DOLLAR: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const MULTICALL: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const ACCOUNTS = 10
/** Of the development accounts: who mints, and who pays a facilitator's gas. The others are free to use. */
const MINTER = 9
export const FACILITATOR = 8

const CHAIN: Chain = defineChain({
  id: 84532,
  name: 'Base Sepolia on this machine',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

export interface BaseOptions extends Pick<ChainOptions, 'blockTimeS' | 'port' | 'stateFile'> {
  readonly node?: NodeName
}

/** The chain and who is on it. */
export interface Base {
  readonly network: 'eip155:84532'
  readonly rpcUrl: string
  readonly dollar: Address
  /** Of the dollar's EIP-712 domain. */
  readonly name: string
  readonly version: string
  readonly accounts: readonly PrivateKeyAccount[]
  readonly publicClient: PublicClient<Transport, Chain>
  readonly testClient: TestClient<'anvil', Transport, Chain>
  walletClient(account: Account): WalletClient<Transport, Chain, Account>
  /** For an account that sends many transactions at once. Of this chain alone: a process may open others, all of one id. */
  readonly nonceManager: NonceManager
  /** Gives an address that many base units of the dollar, of which a dollar has a million. */
  fund(address: Address, baseUnits: bigint): Promise<void>
  balanceOf(address: Address): Promise<bigint>
  /** Moves the chain's own clock ahead and closes a block. */
  advance(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** A local chain that unmodified clients take for Base Sepolia: same chain id, same dollar at the same address. */
export const startBase = async ({ node, ...options }: BaseOptions = {}): Promise<Base> =>
  openBase(await startChain({ chainId: CHAIN.id, kind: 'evm', ...options }, node))

/** Plants the contracts into a running chain and gives access to it. */
async function openBase(chain: RunningChain): Promise<Base> {
  const transport = transportTo(chain.url)
  const common = { chain: CHAIN, transport, pollingInterval: 50, cacheTime: 0 } as const
  const publicClient: PublicClient<Transport, Chain> = createPublicClient(common)
  const testClient: TestClient<'anvil', Transport, Chain> = createTestClient({ ...common, mode: 'anvil' })
  const walletClient = (account: Account): WalletClient<Transport, Chain, Account> =>
    createWalletClient({ ...common, account })
  const accounts: readonly PrivateKeyAccount[] = Array.from({ length: ACCOUNTS }, (_, n) => developmentAccount(n))
  const nonceManager = createNonces()
  // Funding may happen many times at once.
  const minter = walletClient({ ...account(accounts, MINTER), nonceManager })
  await testClient.setCode({ address: BASE_DOLLAR, bytecode: dollarCode.runtime })
  await testClient.setCode({ address: MULTICALL, bytecode: multicallCode.runtime })
  return {
    network: 'eip155:84532',
    rpcUrl: chain.url,
    dollar: BASE_DOLLAR,
    name: 'USDC',
    version: '2',
    accounts,
    publicClient,
    testClient,
    walletClient,
    nonceManager,
    async fund(address: Address, baseUnits: bigint): Promise<void> {
      const hash = await minter.writeContract({
        address: BASE_DOLLAR,
        abi: dollarAbi,
        functionName: 'mint',
        args: [address, baseUnits],
      })
      await publicClient.waitForTransactionReceipt({ hash })
    },
    balanceOf: (address: Address): Promise<bigint> =>
      publicClient.readContract({ address: BASE_DOLLAR, abi: dollarAbi, functionName: 'balanceOf', args: [address] }),
    async advance(seconds: number): Promise<void> {
      await testClient.increaseTime({ seconds })
      await testClient.mine({ blocks: 1 })
    },
    stop: (): Promise<void> => chain.stop(),
  }
}

export function account(accounts: readonly PrivateKeyAccount[], index: number): PrivateKeyAccount {
  const found = accounts[index]
  if (found === undefined) throw new Error(`the chain has no account ${index}`)
  return found
}
