import {
  type Account,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  defineChain,
  encodeFunctionData,
  type Hex,
} from 'viem'
import { dollarAbi, dollarCode } from '../contracts.ts'
import { developmentAccount } from '../development-accounts.ts'
import { type OpenOptions, openChain } from '../node/chain.ts'
import { ask } from '../node/rpc/method.ts'
import { methodsOf } from '../node/rpc/rpc-server.ts'

/** Where tests of the chain have their dollar. */
export const DOLLAR: Address = '0x00000000000000000000000000000000000d0113'
const CHAIN = defineChain({
  id: 84532,
  name: 'a chain under test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

export type TestChain = Awaited<ReturnType<typeof openTestChain>>

/** A chain without thread and network, with a dollar that anybody may mint. */
export async function openTestChain(options: Partial<OpenOptions> = {}) {
  const chain = await openChain({ chainId: CHAIN.id, kind: 'evm', ...options })
  const methods = await methodsOf(chain)
  const request = ({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> =>
    ask(methods, method, params)
  const transport = custom({ request }, { retryCount: 0 })
  const common = { chain: CHAIN, transport, pollingInterval: 10, cacheTime: 0 } as const
  const client = createPublicClient(common)
  const cheats = createTestClient({ ...common, mode: 'anvil' })
  await cheats.setCode({ address: DOLLAR, bytecode: dollarCode.runtime })
  const minter = developmentAccount(9)
  return {
    chain,
    client,
    cheats,
    wallet: (account: Account) => createWalletClient({ ...common, account }),
    /** Any question, as it is sent. */
    ask: (method: string, ...params: readonly unknown[]): Promise<unknown> => ask(methods, method, params),
    /** A signed transaction that mints a dollar's base units; nobody has sent it yet. */
    signedMint: (nonce: number, to: Address, amount: bigint): Promise<Hex> =>
      minter.signTransaction({
        type: 'eip1559',
        chainId: CHAIN.id,
        to: DOLLAR,
        data: encodeFunctionData({ abi: dollarAbi, functionName: 'mint', args: [to, amount] }),
        nonce,
        gas: 100_000n,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      }),
    send: (raw: Hex): Promise<Hex> => client.sendRawTransaction({ serializedTransaction: raw }),
    balanceOf: (who: Address, blockNumber?: bigint): Promise<bigint> =>
      client.readContract({
        address: DOLLAR,
        abi: dollarAbi,
        functionName: 'balanceOf',
        args: [who],
        ...(blockNumber === undefined ? {} : { blockNumber }),
      }),
    close: () => chain.close(),
  }
}

/** All that a chain can be asked about itself, transactions and people. */
export async function everything(
  { ask, client, balanceOf }: TestChain,
  hashes: readonly Hex[],
  people: readonly Address[],
): Promise<unknown> {
  const height = await client.getBlockNumber()
  const numbers = Array.from({ length: Number(height) + 1 }, (_, n) => BigInt(n))
  const ofEach = <T, R>(all: readonly T[], look: (one: T) => Promise<R>): Promise<R[]> => Promise.all(all.map(look))
  return {
    blocks: await ofEach(numbers, (number) => ask('eth_getBlockByNumber', `0x${number.toString(16)}`, true)),
    receipts: await ofEach(hashes, (hash) => ask('eth_getTransactionReceipt', hash)),
    transactions: await ofEach(hashes, (hash) => ask('eth_getTransactionByHash', hash)),
    logs: await ask('eth_getLogs', { fromBlock: '0x0' }),
    balances: await ofEach(people, (who) => ofEach(numbers, (number) => balanceOf(who, number))),
    codes: await ofEach(people, (who) => ask('eth_getCode', who)),
  }
}
