import {
  type Address,
  BaseError,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  parseEther,
  type Transport,
  toHex,
} from 'viem'
import { signAuthorization } from '../authorization.ts'
import { account, type Base, startBase } from '../base.ts'
import { dollarAbi } from '../contracts.ts'
import { openSmartWallets } from '../smart-wallets.ts'
import type { NodeName } from '../start-chain.ts'
import { type Told, told, toldLog } from './told.ts'

const [ADA, BO]: readonly [Address, Address] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
/** Enough for anything here, so that nothing is estimated and what must fail is sent all the same. */
const GAS = 3_000_000n
const FEES = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } as const
/** Ends far from now on every clock. */
const FOREVER = { validAfterS: 1, validBeforeS: 4_000_000_000 } as const

/** A chain for x402 does all that the product has it do, in one order; and what it said. */
export async function playOnBase(node: NodeName): Promise<Record<string, unknown>> {
  const base = await startBase({ node })
  try {
    return {
      transactions: await transactions(base),
      refusals: await refusals(base),
      gap: await nonceGap(base),
      logs: await logs(base),
      back: await goingBack(base),
      balances: await balances(base),
    }
  } finally {
    await base.stop()
  }
}

type DollarCall = readonly ['mint' | 'transfer' | 'approve', to: Address, amount: bigint]

const sendCall = (base: Base, by: number, [functionName, to, amount]: DollarCall): Promise<Hex> =>
  base.walletClient(account(base.accounts, by)).writeContract({
    address: base.dollar,
    abi: dollarAbi,
    functionName,
    args: [to, amount],
    gas: GAS,
    ...FEES,
  })

const receiptOf = async ({ publicClient }: Base, hash: Hex): Promise<Told> =>
  told(await publicClient.waitForTransactionReceipt({ hash }))

const call = async (base: Base, by: number, ...what: DollarCall): Promise<Told> =>
  receiptOf(base, await sendCall(base, by, what))

async function transactions(base: Base): Promise<Record<string, Told>> {
  const [payer, owner] = [account(base.accounts, 1), account(base.accounts, 2)]
  const sender = base.walletClient(account(base.accounts, 3))
  const wallets = await openSmartWallets(base)
  const wallet = await wallets.addressOf(owner.address)
  const signed = await signAuthorization(base, payer, { to: BO, value: 7n, nonce: toHex(7, { size: 32 }), ...FOREVER })
  const { from, to, value, validAfter, validBefore, nonce } = signed.authorization
  const data = encodeFunctionData({
    abi: dollarAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signed.signature],
  })
  const authorised = async () =>
    receiptOf(base, await sender.sendTransaction({ to: base.dollar, data, gas: GAS, ...FEES }))
  const transferOut = encodeFunctionData({ abi: dollarAbi, functionName: 'transfer', args: [ADA, 3n] })
  return {
    mint: await call(base, 1, 'mint', payer.address, 100n),
    transfer: await call(base, 1, 'transfer', ADA, 11n),
    'a transfer of too much': await call(base, 1, 'transfer', ADA, 10_000n),
    'an approval': await call(base, 1, 'approve', BO, 5n),
    'an authorisation': await authorised(),
    'an authorisation again': await authorised(),
    ether: await receiptOf(base, await sender.sendTransaction({ to: ADA, value: parseEther('1'), gas: GAS, ...FEES })),
    'money for a wallet with code': await call(base, 1, 'mint', wallet, 50n),
    'a wallet with code': await wallets.deploy(owner.address).then(async () => ({
      status: 'success',
      to: wallet.toLowerCase(),
      created: (await base.publicClient.getCode({ address: wallet })) ?? null,
      logs: [],
    })),
    'a call by a wallet with code': await receiptOf(base, await wallets.exec(owner, wallet, base.dollar, transferOut)),
  }
}

/** What a call that fails says, as clients read it: the code, and the contract's own data. */
async function refusals(base: Base): Promise<unknown> {
  const request = http(base.rpcUrl, { retryCount: 0 })({}).request
  const data = encodeFunctionData({ abi: dollarAbi, functionName: 'transfer', args: [ADA, 10n ** 20n] })
  const transfer = { from: ADA, to: base.dollar, data }
  return {
    call: await failure(request, 'eth_call', [transfer, 'latest']),
    estimate: await failure(request, 'eth_estimateGas', [transfer]),
    contract: await base.publicClient
      .simulateContract({
        address: base.dollar,
        abi: dollarAbi,
        functionName: 'transfer',
        args: [ADA, 1n],
        account: BO,
      })
      .catch((error: BaseError) => error.shortMessage),
  }
}

async function failure(request: ReturnType<Transport>['request'], method: string, params: unknown): Promise<unknown> {
  const error: unknown = await request({ method, params }).catch((reason: unknown) => reason)
  const cause = error instanceof BaseError ? error.walk((one) => 'code' in Object(one) && 'data' in Object(one)) : null
  return cause && 'code' in cause && 'data' in cause ? { code: cause.code, data: cause.data } : 'no failure'
}

/** Two transactions in the wrong order: the second waits for the first. */
async function nonceGap(base: Base): Promise<readonly Told[]> {
  const by = account(base.accounts, 4)
  const wallet = base.walletClient(by)
  const nonce = await base.publicClient.getTransactionCount({ address: by.address })
  const data = (amount: bigint) => encodeFunctionData({ abi: dollarAbi, functionName: 'mint', args: [BO, amount] })
  const send = (at: number) =>
    wallet.sendTransaction({ to: base.dollar, data: data(BigInt(at - nonce + 1)), nonce: at, gas: GAS, ...FEES })
  const late = await send(nonce + 1)
  const early = await send(nonce)
  return [await receiptOf(base, early), await receiptOf(base, late)]
}

async function logs({ rpcUrl, publicClient, dollar }: Base): Promise<unknown> {
  const [transfers, approvals] = await Promise.all(
    (['Transfer', 'Approval'] as const).map((eventName) =>
      publicClient.getContractEvents({ address: dollar, abi: dollarAbi, eventName, fromBlock: 0n }),
    ),
  )
  const topics = [[transfers?.[0]?.topics[0], approvals?.[0]?.topics[0]], null, [pad(ADA), pad(BO)]]
  const filter = { address: [dollar, ADA], fromBlock: '0x0', toBlock: 'latest', topics }
  const either = await http(rpcUrl)({}).request({ method: 'eth_getLogs', params: [filter] })
  return {
    transfers: transfers?.map(toldLog),
    approvals: approvals?.map(toldLog),
    either: Array.isArray(either) ? either.map(toldLog) : either,
  }
}

async function goingBack(base: Base): Promise<unknown> {
  const { testClient } = base
  const before = await base.balanceOf(BO)
  const id = await testClient.snapshot()
  await call(base, 5, 'mint', BO, 1_000n)
  const after = await base.balanceOf(BO)
  await testClient.revert({ id })
  const reverted = await base.balanceOf(BO)
  const hash = await sendCall(base, 5, ['mint', BO, 10_000n])
  await base.publicClient.waitForTransactionReceipt({ hash })
  await testClient.mine({ blocks: 2 })
  const minted = await base.balanceOf(BO)
  const height = await base.publicClient.getBlockNumber()
  await http(base.rpcUrl)({}).request({ method: 'anvil_reorg', params: [3, []] })
  const isGone = await base.publicClient.getTransactionReceipt({ hash }).then(
    () => false,
    () => true,
  )
  const isAsHigh = (await base.publicClient.getBlockNumber()) === height
  return { before, after, reverted, minted, isGone, isAsHigh, reorganised: await base.balanceOf(BO) }
}

const balances = async (base: Base): Promise<unknown> => ({
  dollars: [
    await base.balanceOf(ADA),
    await base.balanceOf(BO),
    await base.balanceOf(account(base.accounts, 1).address),
  ],
  ether: await base.publicClient.getBalance({ address: ADA }),
})
