import type { Block } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import type { Log } from '@ethereumjs/evm'
import { hexToBytes } from '@ethereumjs/util'
import type { VM } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import { addressOf, toQuantity } from '../hex.ts'
import { logsOf, type Outcome } from '../history/outcome.ts'
import type { Transaction } from '../history/transaction.ts'
import { REFUSED, RpcError } from '../rpc-error.ts'
import { BASE_FEE } from '../rules.ts'
import { accountOf } from '../state/machine.ts'
import { EXPIRING, nonceUnder, setNonceUnder } from './nonce-keys.ts'
import { askPathUsd, PATH_USD, toHoldFee, toSettleFee } from './path-usd.ts'
import { readOrder, type TempoOrder } from './tempo-order.ts'

/** How far ahead the end of an expiring transaction may lie. */
const LONGEST_EXPIRY_S = 30
const INTRINSIC_GAS = 21_000n
/** Gas is priced in 10⁻¹⁸ dollars, the token counts 10⁻⁶. */
const PRICE_UNITS = 10n ** 12n

/** Reads a transaction for a Tempo chain; Ethereum's kinds run there too, as a single call. */
export function readTempoTransaction(raw: Hex, common: Common): Transaction {
  const order = readOrder(raw, common)
  const { json, from, nonce, nonceKey } = order
  return {
    raw,
    hash: json.hash,
    nonce,
    lane: nonceKey === 0n ? from : `${from} ${nonceKey}`,
    json,
    nextNonce: async (machine) => {
      if (nonceKey === EXPIRING) return nonce
      return nonceKey === 0n ? (await accountOf(machine, from)).nonce : nonceUnder(machine, from, nonceKey)
    },
    check: async (_, timeS) => checkTimes(order, timeS),
    run: (machine, block) => runOrder(machine, block, order),
  }
}

function checkTimes({ nonceKey, validAfterS = 0, validBeforeS }: TempoOrder, timeS: number): void {
  const isOver = validBeforeS !== undefined && validBeforeS <= timeS
  if (isOver) throw new RpcError(REFUSED, `transaction expired: valid before ${validBeforeS}, and it is ${timeS}`)
  if (validAfterS > timeS)
    throw new RpcError(REFUSED, `transaction not valid before ${validAfterS}, and it is ${timeS}`)
  if (nonceKey !== EXPIRING) return
  if (validBeforeS === undefined) throw new RpcError(REFUSED, 'an expiring transaction must say until when it is valid')
  if (validBeforeS > timeS + LONGEST_EXPIRY_S) {
    throw new RpcError(REFUSED, `an expiring transaction is valid for ${LONGEST_EXPIRY_S} s at most`)
  }
}

/** The fee is held, the calls run, all or none, and what they did not use of the fee is given back. */
async function runOrder(machine: VM, block: Block, order: TempoOrder): Promise<Outcome> {
  const { journal } = machine.evm
  const price = order.feeCap < BASE_FEE + order.tip ? order.feeCap : BASE_FEE + order.tip
  const feeOf = (gas: bigint): bigint => (gas * price + PRICE_UNITS - 1n) / PRICE_UNITS
  const most = feeOf(order.gas)
  await journal.checkpoint()
  try {
    await askPathUsd(machine, block, toHoldFee(order.from, most)).catch((error: unknown) => {
      throw error instanceof RpcError ? new RpcError(REFUSED, `insufficient funds for a fee of up to ${most}`) : error
    })
    await useNonce(machine, order)
    const { isSuccess, gasUsed, created, logs } = await runCalls(machine, block, order)
    const fee = await askPathUsd(machine, block, toSettleFee(order.from, most, feeOf(gasUsed)))
    await journal.commit()
    await journal.cleanup()
    return {
      transaction: order.json,
      isSuccess,
      gasUsed: toQuantity(gasUsed),
      gasPrice: toQuantity(price),
      created,
      logs: logsOf([...logs, ...fee]),
      feeToken: PATH_USD,
    }
  } catch (error) {
    await journal.revert()
    journal.cleanJournal()
    throw error
  }
}

async function useNonce(machine: VM, { from, nonceKey, nonce }: TempoOrder): Promise<void> {
  // The chain takes no transaction twice, and no expired one: that is nonce enough.
  if (nonceKey === EXPIRING) return
  if (nonceKey !== 0n) return setNonceUnder(machine, from, nonceKey, nonce + 1n)
  const account = await accountOf(machine, from)
  account.nonce += 1n
  await machine.evm.journal.putAccount(addressOf(from), account)
}

interface Ran {
  readonly isSuccess: boolean
  readonly gasUsed: bigint
  readonly created: Hex | null
  readonly logs: readonly Log[]
}

async function runCalls({ evm }: VM, block: Block, { from, gas, calls }: TempoOrder): Promise<Ran> {
  const caller = addressOf(from)
  const logs: Log[] = []
  let gasUsed = gas < INTRINSIC_GAS ? gas : INTRINSIC_GAS
  let created: Hex | null = null
  await evm.journal.checkpoint()
  for (const { to, data = '0x', value = 0n } of calls) {
    const { execResult, createdAddress } = await evm.runCall({
      caller,
      origin: caller,
      ...(to ? { to: addressOf(to) } : {}),
      data: hexToBytes(data),
      value,
      gasLimit: gas - gasUsed,
      block,
      skipNonceIncrement: true,
    })
    gasUsed += execResult.executionGasUsed
    created ??= createdAddress?.toString() ?? null
    if (execResult.exceptionError !== undefined) {
      await evm.journal.revert()
      return { isSuccess: false, gasUsed, created: null, logs: [] }
    }
    logs.push(...(execResult.logs ?? []))
  }
  await evm.journal.commit()
  return { isSuccess: true, gasUsed, created, logs }
}
