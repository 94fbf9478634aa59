import { startAnvil } from './anvil.ts'
import { startInThread } from './node/thread.ts'
import type { ChainOptions, RunningChain } from './running-chain.ts'

/** The chain in JavaScript that is everywhere, or anvil where its binary is: a second opinion for tests. */
export type NodeName = 'javascript' | 'anvil'

/** A local chain of its own, empty but for the development accounts. */
export const startChain = (options: ChainOptions, node: NodeName = 'javascript'): Promise<RunningChain> =>
  node === 'anvil' ? startAnvil(options) : startInThread(options)
