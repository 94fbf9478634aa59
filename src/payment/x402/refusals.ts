import type { Unfit } from '../rail.ts'

export const unfit = (code: string, reason: string): Unfit => ({ ok: false, code, reason })

/**
 * Answers of a facilitator that say for certain that it broadcast nothing. Everything else may follow a broadcast: the
 * list is closed, and what is not on it is looked for on the chain.
 */
const CERTAIN: ReadonlySet<string> = new Set([
  'asset_not_deployed_contract',
  'eip6492_factory_not_allowed',
  'insufficient_funds',
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_transaction_simulation_failed',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_payload_type',
  'unsupported_scheme',
])

export const isCertain = (code: string): boolean => CERTAIN.has(code) || code.startsWith('invalid_exact_svm_payload_')

/** The wallet cannot pay, however often it signs. */
export const isShort = (code: string): boolean => /insufficient_(?:funds|balance)/.test(code)

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['invalid_exact_evm_signature', 'The signature of the authorisation is not the payer’s.'],
  ['invalid_exact_evm_payload_signature', 'The signature of the authorisation is not the payer’s.'],
  ['invalid_exact_evm_nonce_already_used', 'The authorisation was used or cancelled before.'],
  ['eip6492_factory_not_allowed', 'The facilitator does not deploy smart wallets of this factory.'],
])

/** A facilitator's word in ours. Only words of the protocol's form are repeated: others may be whole error texts. */
export function refusalOf(code: string | undefined): { readonly code: string; readonly reason: string } {
  if (code === undefined || !/^[a-z0-9_]{1,80}$/.test(code)) {
    return { code: 'invalid_payload', reason: 'The facilitator does not accept the payment.' }
  }
  if (isShort(code)) return { code, reason: 'The wallet does not hold enough of the asset.' }
  return { code, reason: MEANINGS.get(code) ?? `The facilitator does not accept the payment (${code}).` }
}
