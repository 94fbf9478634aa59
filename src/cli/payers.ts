import type { LocalAccount } from 'viem'
import type { Payer } from '../client/payer.ts'
import type { Rail } from '../domain/route.ts'

export interface PayerOptions {
  readonly account: LocalAccount
  /** The most to sign for, in dollars; the network's own fee comes on top where the payer bears it. */
  readonly maxPrice: string
  /** A node of the network that is paid on; only mpp needs one. The public one of Tempo unless given. */
  readonly rpcUrl: string | undefined
}

const LOADERS: Readonly<Record<Rail, (options: PayerOptions) => Promise<Payer>>> = {
  x402: async ({ account, maxPrice }) => (await import('../client/x402.ts')).x402Payer({ account, maxPrice }),
  mpp: async ({ account, maxPrice, rpcUrl }) =>
    (await import('../client/mpp.ts')).mppPayer({ account, maxPrice, ...(rpcUrl === undefined ? {} : { rpcUrl }) }),
}

/** The libraries of a rail are loaded when something is to be paid. */
export const createPayer = (rail: Rail, options: PayerOptions): Payer => ({
  rail,
  quote: async (demand) => (await LOADERS[rail](options)).quote(demand),
})
