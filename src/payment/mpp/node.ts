import { type Chain, type Client, createClient, http, type Transport } from 'viem'
import { getChainId } from 'viem/actions'
import { tempo } from 'viem/chains'
import type { OnCall } from '../call-outcome.ts'
import { doorToNodes } from '../door.ts'

export type TempoClient = Client<Transport, Chain>

/** A Tempo network, once its node has said which one it is. */
export interface Network {
  readonly chainId: number
  /** `tempo:<chain id>` */
  readonly name: string
  readonly client: TempoClient
}

/** The node that payments are checked and sent with. Its address is a secret: no error of it is passed on. */
export interface TempoNode {
  /** What was learned so far; asks nothing. */
  readonly known: Network | undefined
  /** Asks the node until it has answered once, so that a directory starts while its node is down. Rejects then. */
  network(): Promise<Network>
  /** For one broadcast: every call ends with the signal; `onSend` is called before the transaction leaves. */
  sender(network: Network, signal: AbortSignal, onSend: () => void): TempoClient
}

export function createTempoNode(url: string, callMs: number, onCall?: OnCall): TempoNode {
  const fetchFn = doorToNodes(onCall)
  let known: Network | undefined
  let asking: Promise<Network> | undefined
  // Nothing is tried again by itself: whoever asks knows better when to.
  const plain = http(url, { timeout: callMs, retryCount: 0, fetchFn: doorToNodes(onCall, callMs) })
  const ask = async (): Promise<Network> => {
    const chainId = await getChainId(createClient({ transport: plain }))
    known = {
      chainId,
      name: `tempo:${chainId}`,
      client: createClient({ chain: { ...tempo, id: chainId }, transport: plain }),
    }
    return known
  }
  return {
    get known() {
      return known
    },
    async network() {
      if (known) return known
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    sender(network, signal, onSend) {
      const transport = http(url, {
        retryCount: 0,
        fetchFn,
        fetchOptions: { signal },
        onFetchRequest: (_request, { body }) => {
          if (typeof body === 'string' && body.includes('"eth_sendRawTransaction')) onSend()
        },
      })
      return createClient({ chain: network.client.chain, transport })
    },
  }
}
