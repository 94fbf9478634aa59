import { z } from 'zod'
import { hexText } from '../hex.ts'
import { outcome } from './outcome.ts'

const nodes = z.array(z.tuple([z.string(), z.string()]))

/** What can happen to a chain. All of it in order, from the first on, is the chain. */
export const entry = z.discriminatedUnion('kind', [
  /** The first of all: which chain this is. */
  z.object({ kind: z.literal('chain'), version: z.literal(1), chain: z.enum(['evm', 'tempo']), id: z.int() }),
  /** A block was closed. An empty one leaves the state as it was. */
  z.object({
    kind: z.literal('block'),
    time: z.int(),
    root: hexText.optional(),
    nodes: nodes.optional(),
    outcomes: z.array(outcome).optional(),
  }),
  /** State was changed by hand. */
  z.object({ kind: z.literal('state'), root: hexText, nodes }),
  /** Blocks above this one were taken back, to this state. */
  z.object({ kind: z.literal('back'), number: z.int(), root: hexText }),
  /** The chain's clock was moved: how many seconds it is before the wall clock. */
  z.object({ kind: z.literal('clock'), ahead: z.int() }),
  /** A transaction was taken that waits for an earlier one. */
  z.object({ kind: z.literal('held'), raw: hexText }),
  /** A transaction that waited cannot run any more. */
  z.object({ kind: z.literal('dropped'), hash: hexText }),
  /** The program that wrote this ended in order. */
  z.object({ kind: z.literal('closed') }),
])

export type Entry = z.infer<typeof entry>
