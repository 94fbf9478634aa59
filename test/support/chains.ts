import { describe } from 'vitest'
import { anvilBinary } from '../../sandbox/chain/anvil.ts'
import type { NodeName } from '../../sandbox/chain/start-chain.ts'

/** The chains of this machine: ours, and anvil where it has a binary. `global-machine` says which once a run. */
const HERE: readonly NodeName[] = anvilBinary() === null ? ['javascript'] : ['javascript', 'anvil']

/** One suite for every chain there is: what holds on one must hold on the other. */
export function onEachChain(suite: (name: NodeName) => void): void {
  for (const name of HERE) describe(`on ${name}`, () => suite(name))
}
