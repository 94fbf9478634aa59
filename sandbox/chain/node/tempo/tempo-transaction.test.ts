import { type Address, createClient, custom, encodeFunctionData, type Hex, keccak256, parseSignature } from 'viem'
import { getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'
import { tempoLocalnet } from 'viem/chains'
import { Actions, Transaction } from 'viem/tempo'
import { beforeEach, describe, expect, it } from 'vitest'
import { pathUsdAbi } from '../../contracts.ts'
import { developmentAccount } from '../../development-accounts.ts'
import { type Chain, openChain } from '../chain.ts'
import { ask } from '../rpc/method.ts'
import { methodsOf } from '../rpc/rpc-server.ts'
import { EXPIRING } from './nonce-keys.ts'
import { PATH_USD } from './path-usd.ts'

const PAYEE = '0x1111111111111111111111111111111111111111'
const NOW_S = 2_000_000
const PAYER = developmentAccount(3)

let chain: Chain
let question: (method: string, ...params: readonly unknown[]) => Promise<unknown>
let nowS: number
beforeEach(async () => {
  nowS = NOW_S
  chain = await openChain({ chainId: 1337, kind: 'tempo', wallS: () => nowS })
  const methods = await methodsOf(chain)
  question = (method, ...params) => ask(methods, method, params)
})

const client = () =>
  createClient({
    chain: tempoLocalnet,
    transport: custom({ request: ({ method, params = [] }) => question(method, ...params) }, { retryCount: 0 }),
    pollingInterval: 10,
  })
const balanceOf = async (account: Address): Promise<bigint> =>
  (await Actions.token.getBalance(client(), { token: PATH_USD, account })).amount

const transfer = (amount: bigint, to: Address = PAYEE) => ({
  to: PATH_USD,
  data: encodeFunctionData({ abi: pathUsdAbi, functionName: 'transfer', args: [to, amount] }),
})

interface Order {
  readonly chainId?: number
  readonly calls?: readonly ReturnType<typeof transfer>[]
  readonly nonce?: number
  readonly nonceKey?: bigint
  readonly validAfter?: number
  readonly validBefore?: number
}

/** A signed payment of one base unit, but for what is said. */
async function signed(order: Order, by = PAYER): Promise<Hex> {
  const transaction = {
    type: 'tempo',
    chainId: 1337,
    calls: [transfer(1n)],
    gas: 500_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    nonce: 0,
    ...order,
  } as const
  const hash = keccak256(await Transaction.serialize(transaction))
  return Transaction.serialize(transaction, parseSignature(await by.sign({ hash })))
}
const send = (raw: Hex): Promise<unknown> => question('eth_sendRawTransaction', raw)

describe('a transaction of Tempo', () => {
  it('runs all its calls, under the hash of its bytes, and pays its fee in the dollar', async () => {
    const raw = await signed({ calls: [transfer(5n), transfer(7n)] })
    const before = await balanceOf(PAYER.address)
    expect(await send(raw)).toBe(keccak256(raw))
    expect(await balanceOf(PAYEE)).toBe(12n)
    const receipt = await getTransactionReceipt(client(), { hash: keccak256(raw) })
    expect(receipt).toMatchObject({ status: 'success', feeToken: PATH_USD, to: PATH_USD })
    expect(receipt.logs).toHaveLength(3)
    const fee = BigInt(receipt.logs[2]?.data ?? 0)
    expect(fee).toBeGreaterThan(0n)
    expect(await balanceOf(PAYER.address)).toBe(before - 12n - fee)
    const transaction = await getTransaction(client(), { hash: keccak256(raw) })
    expect(transaction).toMatchObject({ type: 'tempo', nonce: 0, blockNumber: 1n, calls: [{ to: PATH_USD }, {}] })
  })

  it('of which one call fails does nothing but cost its fee', async () => {
    const raw = await signed({ calls: [transfer(5n), transfer(10n ** 30n)] })
    await send(raw)
    const receipt = await getTransactionReceipt(client(), { hash: keccak256(raw) })
    expect(receipt).toMatchObject({ status: 'reverted' })
    expect(receipt.logs).toHaveLength(1)
    expect(await balanceOf(PAYEE)).toBe(0n)
    expect(await getTransactionCount(client(), { address: PAYER.address })).toBe(1)
  })

  it('is refused when its sender cannot pay the fee, and leaves no trace', async () => {
    const poor = developmentAccount(42)
    await expect(send(await signed({}, poor))).rejects.toThrow('insufficient funds')
    expect(await getTransactionCount(client(), { address: poor.address })).toBe(0)
    expect(chain.history.blocks.head.number).toBe(0)
  })

  it('is refused for another chain, without a signature, or with one that is not a plain wallet’s', async () => {
    await expect(send(await signed({ chainId: 4217 }))).rejects.toThrow('invalid chain id')
    const unsigned = await Transaction.serialize({ chainId: 1337, calls: [transfer(1n)], type: 'tempo' })
    await expect(send(unsigned)).rejects.toThrow('no signature')
    await expect(send('0x76c0')).rejects.toMatchObject({ code: -32602 })
  })

  it('waits for those before it, under each key for itself', async () => {
    await send(await signed({ nonce: 1, calls: [transfer(10n)] }))
    await send(await signed({ nonce: 1, nonceKey: 7n, calls: [transfer(100n)] }))
    expect(await balanceOf(PAYEE)).toBe(0n)
    await send(await signed({ nonce: 0, nonceKey: 7n, calls: [transfer(1_000n)] }))
    expect(await balanceOf(PAYEE)).toBe(1_100n)
    await send(await signed({ nonce: 0 }))
    expect(await balanceOf(PAYEE)).toBe(1_111n)
    await expect(send(await signed({ nonce: 1, nonceKey: 7n }))).rejects.toThrow('nonce too low')
    expect(await getTransactionCount(client(), { address: PAYER.address })).toBe(2)
  })

  it('takes back the nonce of its key when the chain is reorganised', async () => {
    const raw = await signed({ nonceKey: 7n })
    await send(raw)
    await question('anvil_reorg', 1, [])
    await send(raw)
    expect(await balanceOf(PAYEE)).toBe(1n)
  })

  it('of Ethereum’s own kind runs as a single call', async () => {
    const { to, data } = transfer(9n)
    const raw = await PAYER.signTransaction({
      type: 'eip1559',
      chainId: 1337,
      to,
      data,
      nonce: 0,
      gas: 500_000n,
      maxFeePerGas: 3_000_000_000n,
    })
    await send(raw)
    expect(await balanceOf(PAYEE)).toBe(9n)
  })
})

describe('a transaction that expires', () => {
  it('is refused from its last moment on, by the clock of the chain', async () => {
    const expiring = (validBefore: number) => signed({ nonceKey: EXPIRING, validBefore })
    await expect(send(await expiring(NOW_S))).rejects.toMatchObject({ code: -32003, message: /expired/ })
    await send(await expiring(NOW_S + 1))
    const late = await expiring(NOW_S + 20)
    await question('evm_increaseTime', 20)
    await expect(send(late)).rejects.toThrow('expired')
    expect(await balanceOf(PAYEE)).toBe(1n)
  })

  it('says until when, and no more than half a minute ahead', async () => {
    await expect(send(await signed({ nonceKey: EXPIRING }))).rejects.toThrow('until when')
    await expect(send(await signed({ nonceKey: EXPIRING, validBefore: NOW_S + 31 }))).rejects.toThrow('30 s at most')
    // With a nonce that counts it may lie as far ahead as it likes.
    await send(await signed({ validBefore: NOW_S + 10_000 }))
    expect(await balanceOf(PAYEE)).toBe(1n)
  })

  it('runs once, and any number of others beside it', async () => {
    const raws = await Promise.all([1, 2, 3].map((n) => signed({ nonceKey: EXPIRING, validBefore: NOW_S + 10 + n })))
    await Promise.all(raws.map(send))
    for (const raw of raws) await expect(send(raw)).rejects.toThrow('already known')
    expect(await balanceOf(PAYEE)).toBe(3n)
  })

  it('may also say from when', async () => {
    const raw = await signed({ validAfter: NOW_S + 5 })
    await expect(send(raw)).rejects.toThrow('not valid before')
    nowS += 5
    await send(raw)
    expect(await balanceOf(PAYEE)).toBe(1n)
  })

  it('that waited until it had expired is let go', async () => {
    await send(await signed({ nonce: 1, validBefore: NOW_S + 5, calls: [transfer(10n)] }))
    nowS += 10
    await send(await signed({ nonce: 0 }))
    expect(await balanceOf(PAYEE)).toBe(1n)
  })
})

describe('trying Tempo’s calls beforehand', () => {
  it('finds no fault with them, so that a payment that fails is seen to fail on the chain', async () => {
    const request = { from: PAYER.address, calls: [transfer(10n ** 30n)] }
    expect(await question('eth_call', request)).toBe('0x')
    expect(Number(await question('eth_estimateGas', request))).toBeGreaterThan(100_000)
    const { to, data } = transfer(10n ** 30n)
    await expect(question('eth_call', { from: PAYER.address, to, data })).rejects.toMatchObject({ code: 3 })
  })
})
