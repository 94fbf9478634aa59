import type { Common } from '@ethereumjs/common'
import { bytesToHex } from '@ethereumjs/util'
import { keccak256 } from 'ox/Hash'
import * as TxEnvelopeTempo from 'ox/tempo/TxEnvelopeTempo'
import type { Hex } from 'viem'
import { decodeEvm, evmJson, feeCapOf } from '../evm/evm-transaction.ts'
import { toQuantity, toWord } from '../hex.ts'
import type { TransactionJson } from '../history/outcome.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

export interface TempoCall {
  readonly to?: Hex | undefined
  readonly data?: Hex | undefined
  readonly value?: bigint | undefined
}

/** What a transaction orders a Tempo chain to do, of whichever kind it is. */
export interface TempoOrder {
  readonly json: TransactionJson
  readonly from: Hex
  readonly nonce: bigint
  /** 0: the account's own nonce. */
  readonly nonceKey: bigint
  readonly gas: bigint
  /** The most for a unit of gas, in 10⁻¹⁸ dollars, and the part of it on top of the base fee. */
  readonly feeCap: bigint
  readonly tip: bigint
  /** Run one after the other, all or none. */
  readonly calls: readonly TempoCall[]
  /** In seconds: the first moment at which it may run, and the first at which no more. */
  readonly validAfterS?: number | undefined
  readonly validBeforeS?: number | undefined
}

const isEnvelope = (raw: Hex): raw is TxEnvelopeTempo.Serialized => raw.startsWith('0x76')

/** Throws unless it is a transaction for this chain, signed by the key of a plain wallet. */
export const readOrder = (raw: Hex, common: Common): TempoOrder =>
  isEnvelope(raw) ? orderOfEnvelope(raw, Number(common.chainId())) : orderOfEvm(raw, common)

const refusal = (why: string): RpcError => new RpcError(INVALID_PARAMS, `failed to decode transaction: ${why}`)

function orderOfEnvelope(raw: TxEnvelopeTempo.Serialized, chainId: number): TempoOrder {
  const envelope = decodeEnvelope(raw)
  const { signature, calls, validAfter, validBefore, feeToken } = envelope
  if (envelope.chainId !== chainId) throw refusal('invalid chain id for signer')
  if (envelope.from === undefined || signature?.type !== 'secp256k1') throw refusal('no signature of a plain wallet')
  if (envelope.keyAuthorization) throw refusal('access keys are not known here')
  if (envelope.feePayerSignature) throw refusal('fees are paid by the sender here')
  const from = lower(envelope.from)
  const [nonce, nonceKey] = [envelope.nonce ?? 0n, envelope.nonceKey ?? 0n]
  const [gas, feeCap, tip] = [envelope.gas ?? 0n, envelope.maxFeePerGas ?? 0n, envelope.maxPriorityFeePerGas ?? 0n]
  const { r, s, yParity } = signature.signature
  const json = {
    hash: keccak256(raw),
    type: '0x76',
    chainId: toQuantity(chainId),
    from,
    to: calls[0]?.to ? lower(calls[0].to) : null,
    nonce: toQuantity(nonce),
    nonceKey: toQuantity(nonceKey),
    gas: toQuantity(gas),
    maxFeePerGas: toQuantity(feeCap),
    maxPriorityFeePerGas: toQuantity(tip),
    gasPrice: toQuantity(feeCap),
    value: '0x0',
    input: '0x',
    calls: calls.map(({ to, data, value }) => ({
      to: to ?? null,
      value: toQuantity(value ?? 0n),
      input: data ?? '0x',
    })),
    validAfter: validAfter === undefined ? null : toQuantity(validAfter),
    validBefore: validBefore === undefined ? null : toQuantity(validBefore),
    feeToken: typeof feeToken === 'string' ? feeToken : null,
    accessList: [],
    aaAuthorizationList: [],
    signature: {
      type: 'secp256k1',
      r: toWord(r),
      s: toWord(s),
      yParity: toQuantity(yParity),
      v: toQuantity(yParity),
    },
  } as const
  return { json, from, nonce, nonceKey, gas, feeCap, tip, calls, validAfterS: validAfter, validBeforeS: validBefore }
}

function decodeEnvelope(raw: TxEnvelopeTempo.Serialized): TxEnvelopeTempo.TxEnvelopeTempo {
  try {
    return TxEnvelopeTempo.deserialize(raw)
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error))
  }
}

function orderOfEvm(raw: Hex, common: Common): TempoOrder {
  const tx = decodeEvm(raw, common)
  const json = evmJson(tx)
  const [feeCap, data] = [feeCapOf(tx), bytesToHex(tx.data)] as const
  return {
    json,
    from: json.from,
    nonce: tx.nonce,
    nonceKey: 0n,
    gas: tx.gasLimit,
    feeCap,
    tip: 'maxPriorityFeePerGas' in tx ? tx.maxPriorityFeePerGas : feeCap,
    calls: [{ to: json.to ?? undefined, data, value: tx.value }],
  }
}

const lower = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`
