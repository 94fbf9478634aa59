import { createPublicClient, type HttpTransport, http, type PublicClient } from 'viem'
import { networkKey } from '../domain/network.ts'
import type { OnCall } from './call-outcome.ts'
import { doorToNodes, LONGEST_ANSWER_BYTES } from './door.ts'

/** A node answers a few small questions: one that needs longer is as good as down. */
const DEADLINE_MS = 5_000

export interface EvmNode {
  /** CAIP-2 form. */
  readonly network: string
  /** What `eth_chainId` has to say. */
  readonly chainId: number
  readonly client: PublicClient<HttpTransport>
}

export interface SolanaNode {
  /** CAIP-2 form; its reference begins the genesis hash. */
  readonly network: string
  /** One JSON-RPC call. What it resolves to is a stranger's word. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
}

/**
 * The operator's nodes, each opened when it is first asked for. Their addresses carry keys: errors of these clients hold
 * them and are never printed or logged.
 */
export interface Nodes {
  evm(network: string): EvmNode | undefined
  solana(network: string): SolanaNode | undefined
}

const EVM_NETWORK = /^(?:eip155|tempo):([1-9]\d{0,15})$/
const SOLANA_NETWORK = /^solana:[1-9A-HJ-NP-Za-km-z]{1,44}$/

export type NetworkKind = 'eip155' | 'tempo' | 'solana'

/** Which kind of chain a network in CAIP-2 form is; `undefined` for one that nobody here can ask. */
export function networkKind(network: string): NetworkKind | undefined {
  if (SOLANA_NETWORK.test(network)) return 'solana'
  if (!EVM_NETWORK.test(network)) return undefined
  return network.startsWith('tempo:') ? 'tempo' : 'eip155'
}

export function createNodes(rpcUrls: ReadonlyMap<string, string>, deadlineMs = DEADLINE_MS, onCall?: OnCall): Nodes {
  const urls = new Map([...rpcUrls].map(([network, url]) => [networkKey(network), url]))
  const options = {
    timeout: deadlineMs,
    // Who asks decides when to ask again.
    retryCount: 0,
    maxResponseBodySize: LONGEST_ANSWER_BYTES,
    fetchFn: doorToNodes(onCall, deadlineMs),
  }

  return {
    evm: remembered((network) => {
      const url = urls.get(network)
      const chainId = EVM_NETWORK.exec(network)?.[1]
      if (url === undefined || chainId === undefined) return undefined
      // A contract may name any address to be fetched (CCIP read): never.
      const client = createPublicClient({ transport: http(url, options), cacheTime: 0, ccipRead: false })
      return { network, chainId: Number(chainId), client }
    }),
    solana: remembered((network) => {
      const url = urls.get(network)
      if (url === undefined || !SOLANA_NETWORK.test(network)) return undefined
      const { request } = http(url, options)({})
      return { network, call: (method, params) => request({ method, params: [...params] }) }
    }),
  }
}

/** Only networks with a node are kept: strangers name as many others as they like. */
export function remembered<T>(open: (network: string) => T | undefined): (network: string) => T | undefined {
  const opened = new Map<string, T>()
  return (name) => {
    const network = networkKey(name)
    const node = opened.get(network) ?? open(network)
    if (node !== undefined) opened.set(network, node)
    return node
  }
}

/** Whether the node is on the chain that it is configured for. Rejects when it does not answer. */
export const chainMatches = async (node: EvmNode): Promise<boolean> => (await node.client.getChainId()) === node.chainId
