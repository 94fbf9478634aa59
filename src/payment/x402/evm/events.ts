import { type Address, type Hex, isAddressEqual, parseAbi, parseEventLogs, type TransactionReceipt } from 'viem'

export const EIP3009 = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** One authorisation, and what its use has to move. */
export interface EvmTerms {
  readonly asset: Address
  readonly payer: Address
  readonly payee: Address
  readonly amount: bigint
  readonly nonce: Hex
}

/**
 * The log index of the transfer that this very authorisation caused, in a transaction that may hold others; `undefined`
 * when it did not pay. An asset marks an authorisation as used right before it moves the money, or right after.
 */
export function transferIn(receipt: TransactionReceipt, terms: EvmTerms): number | undefined {
  if (receipt.status !== 'success') return undefined
  const logs = parseEventLogs({
    abi: EIP3009,
    logs: receipt.logs.filter(({ address }) => isAddressEqual(address, terms.asset)),
  }).toSorted((a, b) => a.logIndex - b.logIndex)
  const used = logs.findIndex(
    (log) =>
      log.eventName === 'AuthorizationUsed' &&
      isAddressEqual(log.args.authorizer, terms.payer) &&
      log.args.nonce.toLowerCase() === terms.nonce.toLowerCase(),
  )
  if (used < 0) return undefined
  for (const side of [logs.slice(used + 1), logs.slice(0, used).reverse()]) {
    for (const log of side) {
      if (log.eventName === 'AuthorizationUsed') break
      if (log.eventName !== 'Transfer') continue
      const { from, to, value } = log.args
      if (isAddressEqual(from, terms.payer) && isAddressEqual(to, terms.payee) && value >= terms.amount) {
        return log.logIndex
      }
    }
  }
  return undefined
}
