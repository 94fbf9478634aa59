import { z } from 'zod'
import type { Measured } from '../watching/instruments.ts'

// What the process that leads and the web workers that it started tell each other.

const TAKEN = z.object({
  kind: z.literal('taken'),
  taken: z.array(z.object({ limit: z.string(), key: z.string(), n: z.number(), leftMs: z.number() })),
})

/** Event streams that the worker of this number holds, by address. */
const SEATS = z.object({
  kind: z.literal('seats'),
  of: z.number(),
  held: z.array(z.tuple([z.string(), z.number()])),
})

/** Up to here somebody has written: replicas that have less are not read. */
const WROTE = z.object({ kind: z.literal('wrote'), place: z.number() })

const TO_WORKER = z.discriminatedUnion('kind', [
  TAKEN,
  SEATS,
  WROTE,
  /** That worker is gone, and its streams with it. */
  z.object({ kind: z.literal('left'), of: z.number() }),
  z.object({ kind: z.literal('condition'), condition: z.record(z.string(), z.unknown()) }),
  z.object({ kind: z.literal('measure'), id: z.number() }),
  z.object({ kind: z.literal('stop') }),
])

const TO_LEADER = z.discriminatedUnion('kind', [
  TAKEN,
  SEATS,
  WROTE,
  /** It hears from now on. */
  z.object({ kind: z.literal('joined') }),
  z.object({ kind: z.literal('serving'), port: z.number() }),
  /** It could not start, and why. */
  z.object({ kind: z.literal('failed'), detail: z.string(), hint: z.string() }),
  z.object({ kind: z.literal('measured'), id: z.number(), measured: z.custom<Measured>(Array.isArray) }),
])

export type ToWorker = z.infer<typeof TO_WORKER>
export type ToLeader = z.infer<typeof TO_LEADER>

/** `undefined`: not one of ours. */
export const readToWorker = (message: unknown): ToWorker | undefined => TO_WORKER.safeParse(message).data
export const readToLeader = (message: unknown): ToLeader | undefined => TO_LEADER.safeParse(message).data
