import { inTime } from '../async/in-time.ts'
import type { Operation } from './openapi/operation.ts'

/** Far beyond what an answer takes: reading asks the store alone, writing may ask nodes too, paying waits for its settlement. */
const PATIENCE_MS = { get: 10_000, post: 30_000 } as const
const PAID_MS = 60_000

export const patienceMs = ({ method, paidThrough }: Pick<Operation, 'method' | 'paidThrough'>): number =>
  paidThrough === undefined ? PATIENCE_MS[method] : PAID_MS

/** Whoever asks a store that takes questions and answers none is told so, instead of waiting with it. */
export const patiently =
  <Context>(handler: (context: Context) => Response | Promise<Response>, mostMs: number) =>
  async (context: Context): Promise<Response> => {
    const answer = await inTime<Response | undefined>(Promise.resolve(handler(context)), mostMs, undefined)
    if (answer === undefined) throw Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
    return answer
  }
