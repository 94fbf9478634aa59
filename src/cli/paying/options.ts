import type { LocalAccount } from 'viem'

export interface PayerOptions {
  readonly account: LocalAccount
  /** The most to sign for, in dollars; the network's own fee comes on top where the payer bears it. */
  readonly maxPrice: string
  /** A node of the network that is paid on; only mpp needs one. The public one of Tempo unless given. */
  readonly rpcUrl: string | undefined
}
