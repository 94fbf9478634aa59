import { type HttpTransport, http } from 'viem'

/** Ethereum's rules, or Tempo's: its own kind of transaction, and fees in its dollar. */
export type ChainKind = 'evm' | 'tempo'

export interface ChainOptions {
  readonly chainId: number
  readonly kind: ChainKind
  /**
   * Seconds between blocks that come by themselves, beside those of transactions. Without it the chain's clock stands
   * still between transactions.
   */
  readonly blockTimeS?: number
  /** A free one unless given. */
  readonly port?: number
  /** Where the chain is kept, so that it goes on from there when started again. Each kind of node has its own form. */
  readonly stateFile?: string
}

export interface RunningChain {
  /** JSON-RPC, on loopback. */
  readonly url: string
  stop(): Promise<void>
}

const PATIENCE_MS = 60_000

/**
 * The way to a chain on this machine. A machine that is busy answers late, and nothing is asked twice meanwhile: of a
 * transaction that was taken the first time, the second answer says no.
 */
export const transportTo = (url: string): HttpTransport => http(url, { retryCount: 0, timeout: PATIENCE_MS })
