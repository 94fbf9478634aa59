import type { Common } from '@ethereumjs/common'
import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { runTx } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import { toQuantity } from '../hex.ts'
import { logsOf, type TransactionJson } from '../history/outcome.ts'
import type { Transaction } from '../history/transaction.ts'
import { INVALID_PARAMS, REFUSED, RpcError } from '../rpc-error.ts'
import { BASE_FEE } from '../rules.ts'
import { accountOf } from '../state/machine.ts'

/** Reads a transaction of one of Ethereum's kinds; its sender is who signed it. */
export function readEvmTransaction(raw: Hex, common: Common): Transaction {
  const tx = decodeEvm(raw, common)
  const json = evmJson(tx)
  const { from } = json
  return {
    raw,
    hash: json.hash,
    nonce: tx.nonce,
    lane: from,
    json,
    nextNonce: async (machine) => (await accountOf(machine, from)).nonce,
    check: async (machine) => {
      const { balance } = await accountOf(machine, from)
      if (balance < tx.gasLimit * feeCapOf(tx) + tx.value) {
        throw new RpcError(REFUSED, 'insufficient funds for gas * price + value')
      }
      if (feeCapOf(tx) < BASE_FEE) throw new RpcError(REFUSED, 'max fee per gas less than block base fee')
      if (tx.gasLimit < tx.getIntrinsicGas()) throw new RpcError(REFUSED, 'intrinsic gas too low')
    },
    run: async (machine, block) => {
      const run = await runTx(machine, { tx, block, skipHardForkValidation: true }).catch((error: Error) => {
        throw new RpcError(REFUSED, error.message)
      })
      const isSuccess = run.execResult.exceptionError === undefined
      return {
        transaction: json,
        isSuccess,
        gasUsed: toQuantity(run.totalGasSpent),
        gasPrice: toQuantity(run.amountSpent / run.totalGasSpent),
        created: run.createdAddress?.toString() ?? null,
        logs: isSuccess ? logsOf(run.execResult.logs ?? []) : [],
      }
    },
  }
}

/** Throws unless it is a transaction for this chain, signed by somebody. */
export function decodeEvm(raw: Hex, common: Common): TypedTransaction {
  try {
    const tx = createTxFromRLP(hexToBytes(raw), { common })
    tx.getSenderAddress()
    return tx
  } catch (error) {
    throw new RpcError(
      INVALID_PARAMS,
      `failed to decode transaction: ${error instanceof Error ? error.message : error}`,
    )
  }
}

export function evmJson(tx: TypedTransaction): TransactionJson {
  const { data, gasLimit, ...fields } = tx.toJSON()
  return {
    ...fields,
    hash: bytesToHex(tx.hash()),
    type: toQuantity(tx.type),
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
    gas: toQuantity(tx.gasLimit),
    gasPrice: toQuantity(feeCapOf(tx)),
    input: bytesToHex(tx.data),
  }
}

/** The most that a unit of gas may cost. */
export const feeCapOf = (tx: TypedTransaction): bigint => ('maxFeePerGas' in tx ? tx.maxFeePerGas : tx.gasPrice)
