import { isTestNetwork, networkKey } from '../../domain/network.ts'
import { type WalletKind, walletKey, walletKind } from '../../domain/wallet.ts'
import { networkKind } from '../nodes.ts'
import type { SeenPayee } from './proof.ts'

/** What kind of wallet pays and is paid on a network in CAIP-2 form. */
export function walletKindOn(network: string): WalletKind | undefined {
  const kind = networkKind(network)
  return kind === undefined || kind === 'solana' ? kind : 'evm'
}

/**
 * The keys of those seen to be paid on a network in CAIP-2 form. A payee that was named without a network that can be
 * told apart counts on every network of its kind, on test networks only where it was named as a test.
 */
export function payeesOn(payees: readonly SeenPayee[], network: string): ReadonlySet<string> {
  const kind = walletKindOn(network)
  const isTest = isTestNetwork(network)
  const isSeenHere = (seen: SeenPayee): boolean => {
    const key = networkKey(seen.network)
    return key === network || (networkKind(key) === undefined && isTestNetwork(key) === isTest)
  }
  const here = payees.filter((seen) => walletKind(seen.payee) === kind && isSeenHere(seen))
  return new Set(here.map(({ payee }) => walletKey(payee)))
}
