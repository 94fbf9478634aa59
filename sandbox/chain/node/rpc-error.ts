import type { ExecResult } from '@ethereumjs/evm'
import { bytesToHex } from '@ethereumjs/util'
import * as AbiError from 'ox/AbiError'
import type { Hex } from 'viem'

/** Codes by which clients tell failures apart. */
const REVERTED = 3
export const FAILED = -32000
export const NOT_FOUND = -32001
export const REFUSED = -32003
export const UNKNOWN_METHOD = -32601
export const INVALID_PARAMS = -32602
export const NOT_JSON = -32700

/** An answer of the chain that says no. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Hex,
  ) {
    super(message)
    this.name = 'RpcError'
  }
}

/** Why code did not run to its end; a contract's own words are passed on whole, because clients decode them. */
export function failureOf({ exceptionError, returnValue }: ExecResult): RpcError | undefined {
  if (exceptionError === undefined) return undefined
  if (exceptionError.error !== 'revert') return new RpcError(FAILED, `EVM error: ${exceptionError.error}`)
  const data = bytesToHex(returnValue)
  return new RpcError(REVERTED, `execution reverted${reasonIn(data)}`, data)
}

function reasonIn(data: Hex): string {
  try {
    return `: ${AbiError.decode(AbiError.solidityError, data)}`
  } catch {
    // An error of the contract's own kind, or none at all.
    return ''
  }
}
