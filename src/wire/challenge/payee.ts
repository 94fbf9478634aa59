import { networkKey } from '../../domain/network.ts'
import { wordOf } from './json.ts'
import type { Warn } from './warnings.ts'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Whether that can be an address of the network; networks of other kinds are not judged. */
export function isPayeeOn(network: string, payee: string): boolean {
  const key = String(networkKey(network))
  const form = /^(eip155|tempo):/.test(key) ? EVM_ADDRESS : key.startsWith('solana:') ? SOLANA_ADDRESS : undefined
  return form === undefined || form.test(payee)
}

/** Who is to be paid, if that can be an address of the network. */
export function payeeOf(value: unknown, network: string | null, warn: Warn): string | null {
  const payee = wordOf(value)
  if (payee === undefined) {
    warn('missing_field')
    return null
  }
  if (isPayeeOn(network ?? '', payee)) return payee
  warn('bad_payee')
  return null
}
