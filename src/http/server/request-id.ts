const TAKEN = /^[A-Za-z0-9._-]{1,64}$/

/** Gives every request its id: the caller's own when it is fit to be logged and sent back, otherwise the next of ours. */
export function requestIds(random: () => string): (given: string | undefined) => string {
  // Unique across processes by its start, within one by its count; cheaper than a UUID for each cached answer.
  const start = random()
  let count = 0
  return (given) => {
    if (given !== undefined && TAKEN.test(given)) return given
    count += 1
    return `${start}-${count.toString(36)}`
  }
}
