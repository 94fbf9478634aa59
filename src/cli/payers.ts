import type { Payer } from '../client/payer.ts'
import type { Rail } from '../domain/route.ts'
import type { PayerOptions } from './paying/options.ts'

const LOADERS: Readonly<Record<Rail, (options: PayerOptions) => Promise<Payer>>> = {
  x402: async (options) => (await import('./paying/x402.ts')).payByX402(options),
  mpp: async (options) => (await import('./paying/mpp.ts')).payByMpp(options),
}

/** The libraries of a rail are loaded when something is to be paid. */
export const createPayer = (rail: Rail, options: PayerOptions): Payer => ({
  rail,
  quote: async (demand) => (await LOADERS[rail](options)).quote(demand),
})
