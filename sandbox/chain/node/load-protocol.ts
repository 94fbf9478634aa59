import type { ChainKind } from '../running-chain.ts'
import type { Protocol } from './protocol.ts'

/** Loaded when it is needed: a chain should start in a second. */
const PROTOCOLS: Readonly<Record<ChainKind, () => Promise<Protocol>>> = {
  evm: async () => (await import('./evm/evm-protocol.ts')).EVM,
  tempo: async () => (await import('./tempo/tempo-protocol.ts')).TEMPO,
}

export const loadProtocol = (kind: ChainKind): Promise<Protocol> => PROTOCOLS[kind]()
