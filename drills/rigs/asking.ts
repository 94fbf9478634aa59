import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly ms: number
}

const DEADLINE_MS = 45_000

/** One request over `fetch`; `undefined` when nobody answered. */
export async function ask(url: string, init: RequestInit = {}, send: typeof fetch = fetch): Promise<Reply | undefined> {
  const began = performance.now()
  try {
    const answer = await send(url, { signal: AbortSignal.timeout(DEADLINE_MS), ...init })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, ms: performance.now() - began }
  } catch {
    return undefined
  }
}

/** Milliseconds until it is so; looks often, and gives up after `mostMs`. */
export async function until(isSo: () => Promise<boolean> | boolean, mostMs: number): Promise<number | undefined> {
  const began = performance.now()
  while (performance.now() - began < mostMs) {
    if (await isSo()) return performance.now() - began
    await wait(25)
  }
  return undefined
}

export const isReady = async (address: string): Promise<boolean> => (await ask(`${address}/readyz`))?.status === 200

const written = z.looseObject({ id: z.string(), text: z.string() })

/** The id and text of a stored review or post. */
export const writtenIn = (reply: Reply): { id: string; text: string } => written.parse(JSON.parse(reply.text))

const LAST_SHARE = 0.99
/** What 99 of 100 stay under. */
export function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * LAST_SHARE))] ?? Number.NaN
}

export const ms = (value: number | undefined): string => (value === undefined ? 'never' : `${Math.round(value)} ms`)
