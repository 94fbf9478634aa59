/** The one clock of the bench. Milliseconds. */
const now = (): number => performance.now()

/** How long the work took, in milliseconds, and what it gave. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly ms: number; readonly value: T }> {
  const started = now()
  const value = await work()
  return { ms: now() - started, value }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  if (low === undefined || high === undefined) throw new Error('a median of nothing')
  return (low + high) / 2
}

export interface Compared {
  readonly measured: number
  readonly limit: number
  /** The median over the rounds of measured to limit. */
  readonly ratio: number
}

/**
 * Runs both sides `rounds` times, close together and each first every other time: a busy machine slows both sides of
 * a round alike, and their ratio stays.
 */
export async function interleaved(
  rounds: number,
  measured: () => Promise<number>,
  limit: () => Promise<number>,
): Promise<Compared> {
  const pairs: { measured: number; limit: number }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await measured()
      pairs.push({ measured: first, limit: await limit() })
    } else {
      const first = await limit()
      pairs.push({ measured: await measured(), limit: first })
    }
  }
  return {
    measured: median(pairs.map((pair) => pair.measured)),
    limit: median(pairs.map((pair) => pair.limit)),
    ratio: median(pairs.map((pair) => pair.measured / pair.limit)),
  }
}

const MB = 1024 * 1024

export const count = (value: number): string => Math.round(value).toLocaleString('en-US')
export const perSecond = (n: number): string => `${count(n)}/s`
export const milliseconds = (ms: number): string => `${ms.toFixed(2)} ms`
export const megabytes = (bytes: number): string => `${count(bytes / MB)} MB`
