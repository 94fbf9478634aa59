/** What the work comes to, or `late` when that takes longer; what it does afterwards is ignored. */
export async function inTime<T>(work: Promise<T>, mostMs: number, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isLate = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), mostMs)
  })
  try {
    return await Promise.race([work, isLate])
  } finally {
    clearTimeout(timer)
  }
}
