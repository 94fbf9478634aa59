import { formatPrice, type MicroDollars } from './money/price.ts'

/** What one post costs, on every rail. */
export const THREAD_PRICE: MicroDollars = 50_000

/** What comes on top: through x402 the facilitator pays the fee of the network. */
export const TEMPO_FEE = "Through mpp the wallet also pays Tempo's fee, in the same dollar."

/** The same as people write it: `0.05`. */
export const THREAD_DOLLARS = formatPrice(THREAD_PRICE).replace(/0{1,4}$/, '')

export const EMPTY_THREAD = 'No thread posts exist.'
