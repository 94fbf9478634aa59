import { isNetwork, networkKey } from '../../domain/network.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKind } from '../../domain/wallet.ts'
import type { OnCall } from '../call-outcome.ts'
import { createNodes, type NetworkKind, networkKind } from '../nodes.ts'
import { dollarsWith, type ExtraAsset } from './dollars.ts'
import { findOnEvm } from './evm.ts'
import { none, unknown } from './judge.ts'
import { walletKindOn } from './payees.ts'
import type { Proof, ProofRequest, Proofs } from './proof.ts'
import { findOnSolana } from './solana.ts'

export interface ProofSettings {
  readonly rpcUrls: ReadonlyMap<string, string>
  readonly nowUs: () => TimestampUs
  readonly extraAssets?: readonly ExtraAsset[]
  /** Blocks that hold a transaction before it is believed. A Solana transaction counts once it is final. */
  readonly confirmations?: Readonly<Record<Exclude<NetworkKind, 'solana'>, number>>
  readonly deadlineMs?: number
  readonly onCall?: OnCall | undefined
}

/** Its own block is the first. What a reorganisation takes away is lowered again, and everything is looked at until it is final. */
const CONFIRMATIONS = { eip155: 1, tempo: 1 }

export function createProofs(settings: ProofSettings): Proofs {
  const { rpcUrls, nowUs, extraAssets = [], confirmations = CONFIRMATIONS, deadlineMs, onCall } = settings
  const nodes = createNodes(rpcUrls, deadlineMs, onCall)
  const decimals = dollarsWith(extraAssets)

  const look = async (network: string, kind: NetworkKind, request: ProofRequest): Promise<Proof> => {
    if (kind === 'solana') {
      const node = nodes.solana(network)
      return node === undefined ? withoutNode(network) : findOnSolana(node, request, { decimals, nowUs })
    }
    const node = nodes.evm(network)
    if (node === undefined) return withoutNode(network)
    return findOnEvm(node, request, { decimals, nowUs, confirmations: confirmations[kind] })
  }

  return {
    find: async (request) => {
      if (!isNetwork(request.network)) return none('that is not the name of a network')
      const network = networkKey(request.network)
      const kind = networkKind(network)
      if (kind === undefined) return none(`payments on ${network} cannot be checked here`)
      if (walletKind(request.wallet) !== walletKindOn(network)) {
        return none(`the wallet that signed cannot pay on ${network}`)
      }
      try {
        return await look(network, kind, request)
      } catch {
        // The error holds the node's address.
        return unknown(`the node for ${network} does not answer`)
      }
    },
  }
}

/** Not decided: the operator may set one up. */
const withoutNode = (network: string): Proof => unknown(`this directory has no node for ${network}`)
