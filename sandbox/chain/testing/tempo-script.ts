import { type Address, encodeFunctionData, type Hex, keccak256, type Log, pad, parseSignature } from 'viem'
import { getBlock, getTransactionReceipt, sendRawTransactionSync } from 'viem/actions'
import { Transaction } from 'viem/tempo'
import { pathUsdAbi } from '../contracts.ts'
import { developmentAccount } from '../development-accounts.ts'
import type { NodeName } from '../start-chain.ts'
import { startTempo, type Tempo } from '../tempo.ts'
import { toldLog } from './told.ts'

const [ADA, BO]: readonly [Address, Address] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const PAYER = developmentAccount(3)
/** The key of transactions whose nonce says nothing because they expire. */
const EXPIRING = 2n ** 256n - 1n

/** A chain for mpp is paid on, in one order; and what it said of the payments. Fees are its own. */
export async function playOnTempo(node: NodeName): Promise<Record<string, unknown>> {
  const tempo = await startTempo({ node })
  try {
    return {
      plain: await paid(tempo, await tempo.fund(ADA, 11n)),
      memo: await send(tempo, [withMemo(BO, 5n)]),
      'two at once': await send(tempo, [transfer(ADA, 2n), transfer(BO, 3n)]),
      'one of two too much': await send(tempo, [transfer(ADA, 2n), transfer(BO, 10n ** 30n)]),
      expired: await expired(tempo),
      balances: [await tempo.balanceOf(ADA), await tempo.balanceOf(BO)],
    }
  } finally {
    await tempo.stop()
  }
}

const abi = pathUsdAbi
const transfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] })
const withMemo = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi, functionName: 'transferWithMemo', args: [to, amount, keccak256('0x01')] })

/** A payment as mpp has it: it expires, and its nonce says nothing. */
async function sign({ client, currency }: Tempo, calls: readonly Hex[], endsInS: number): Promise<Hex> {
  const { timestamp } = await getBlock(client)
  const transaction = {
    type: 'tempo',
    chainId: 1337,
    calls: calls.map((data) => ({ to: currency, data })),
    gas: 3_000_000n,
    maxFeePerGas: 40_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    nonce: 0,
    nonceKey: EXPIRING,
    validBefore: Number(timestamp) + endsInS,
    feeToken: currency,
  } as const
  const hash = keccak256(await Transaction.serialize(transaction))
  return Transaction.serialize(transaction, parseSignature(await PAYER.sign({ hash })))
}

async function send(tempo: Tempo, calls: readonly Hex[]): Promise<unknown> {
  const serializedTransaction = await sign(tempo, calls, 20)
  const { transactionHash } = await sendRawTransactionSync(tempo.client, { serializedTransaction })
  return paid(tempo, transactionHash)
}

/** The movements of a transaction to those who are paid. */
async function paid({ client, currency }: Tempo, hash: Hex): Promise<unknown> {
  const { status, logs } = await getTransactionReceipt(client, { hash })
  const isPayment = ({ address, topics }: Log): boolean =>
    address.toLowerCase() === currency && [pad(ADA), pad(BO)].some((payee) => topics[2] === payee)
  return { status, logs: logs.filter(isPayment).map(toldLog) }
}

/** One whose time is over moves nothing, whether it is refused or never runs. */
async function expired(tempo: Tempo): Promise<unknown> {
  const raw = await sign(tempo, [transfer(ADA, 1_000n)], -5)
  const answer = tempo.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
  await answer.catch(() => undefined)
  return getTransactionReceipt(tempo.client, { hash: keccak256(raw) }).then(
    ({ status }) => status,
    () => 'never ran',
  )
}
