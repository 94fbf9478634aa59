import { SellerCalls, type SellerManners } from '../sweep/seller-calls.ts'

/** Manners for tests: nobody opted out, robots.txt forbids nothing and is not asked for. */
export const callsWith = (more: Partial<SellerManners> = {}): SellerCalls =>
  new SellerCalls({
    gapMs: 0,
    isOptedOut: () => false,
    notBeforeUs: async () => 0,
    pauseUntil: async () => undefined,
    rulesOf: async () => ({ isAllowed: () => true, answer: null }),
    ...more,
  })
