import type { Block } from '@ethereumjs/block'
import type { Log } from '@ethereumjs/evm'
import { hexToBytes } from '@ethereumjs/util'
import type { VM } from '@ethereumjs/vm'
import * as AbiFunction from 'ox/AbiFunction'
import type { Hex } from 'viem'
import { pathUsdCode } from '../../contract-code.ts'
import { addressOf } from '../hex.ts'
import { failureOf } from '../rpc-error.ts'
import { setCode } from '../state/machine.ts'

/** The dollar that every Tempo network carries at this address. 6 decimals. */
export const PATH_USD: Hex = '0x20c0000000000000000000000000000000000000'
/** Tempo's keeper of fees; in the token's eyes, the chain itself. */
const FEES: Hex = '0xfeec000000000000000000000000000000000000'
const CALL_GAS = 1_000_000n

const ABI = {
  give: AbiFunction.from('function give(address to, uint256 amount)'),
  holdFee: AbiFunction.from('function holdFee(address payer, uint256 most)'),
  settleFee: AbiFunction.from('function settleFee(address payer, uint256 most, uint256 used)'),
}

/** What the chain itself does with the token; amounts in base units. */
export const toGive = (to: Hex, amount: bigint): Hex => AbiFunction.encodeData(ABI.give, [to, amount])
export const toHoldFee = (payer: Hex, most: bigint): Hex => AbiFunction.encodeData(ABI.holdFee, [payer, most])
export const toSettleFee = (payer: Hex, most: bigint, used: bigint): Hex =>
  AbiFunction.encodeData(ABI.settleFee, [payer, most, used])

export const plantPathUsd = (machine: VM): Promise<void> => setCode(machine, PATH_USD, pathUsdCode.runtime)

/** Throws the token's own reason when it cannot be. */
export async function askPathUsd(machine: VM, block: Block, data: Hex): Promise<Log[]> {
  const { execResult } = await machine.evm.runCall({
    caller: addressOf(FEES),
    to: addressOf(PATH_USD),
    data: hexToBytes(data),
    gasLimit: CALL_GAS,
    block,
    skipNonceIncrement: true,
  })
  const failure = failureOf(execResult)
  if (failure !== undefined) throw failure
  return execResult.logs ?? []
}
