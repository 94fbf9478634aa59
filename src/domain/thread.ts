import type { MicroDollars } from './price.ts'

/** What one post costs, on either rail. */
export const THREAD_PRICE: MicroDollars = 50_000

export const EMPTY_THREAD = 'No thread posts exist.'
