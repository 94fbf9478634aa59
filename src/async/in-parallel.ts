/** A few at a time, in their order, until the signal says stop. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal | undefined,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined && !signal?.aborted; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
