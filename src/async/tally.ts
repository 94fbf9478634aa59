const SECOND_MS = 1000

/**
 * Makes a line a second of what may happen a thousand times in one: the first is told at once, all that follow within the
 * time together when it is over, with the last of them.
 */
export function tally<T>(tell: (count: number, last: T) => void, everyMs = SECOND_MS): (item: T) => void {
  let untold: { readonly count: number; readonly last: T } | undefined
  let isQuiet = false
  const flush = (): void => {
    const told = untold
    untold = undefined
    isQuiet = told !== undefined
    if (told === undefined) return
    setTimeout(flush, everyMs).unref()
    tell(told.count, told.last)
  }
  return (last) => {
    untold = { count: (untold?.count ?? 0) + 1, last }
    if (!isQuiet) flush()
  }
}
