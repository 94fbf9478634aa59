/** How much of a host view is written out. */
export interface Detail {
  readonly routes: number
  /** So many of them with their listing rows, entries and reviews; the others have one line each. */
  readonly full: number
  /** Of each route in full. */
  readonly listings: number
  readonly probes: number
  readonly reviews: number
  readonly posts: number
}

const ALL = Number.POSITIVE_INFINITY

export const EVERYTHING: Detail = { routes: ALL, full: ALL, listings: ALL, probes: ALL, reviews: ALL, posts: ALL }

/** Everything, and then less and less. What is left out is always said, with the address where it is. */
const LADDER: readonly Detail[] = [
  EVERYTHING,
  { ...EVERYTHING, listings: 5, probes: 3, reviews: 3, posts: 10 },
  { ...EVERYTHING, listings: 2, probes: 2, reviews: 2, posts: 5 },
  { ...EVERYTHING, listings: 1, probes: 1, reviews: 1, posts: 3 },
  ...[8, 5, 3, 1].map((full) => ({ ...EVERYTHING, full, listings: 2, probes: 1, reviews: 1, posts: 3 })),
  { ...EVERYTHING, full: 0, posts: 3 },
  { ...EVERYTHING, full: 0, posts: 0 },
  ...[25, 10, 3].map((routes) => ({ ...EVERYTHING, full: 0, routes, posts: 0 })),
]

/** What a model reads at once: about 3,000 tokens, at 3.5 characters each. */
export const MOST_TOKENS = 3000
const MOST_CHARACTERS = MOST_TOKENS * 3.5

/** The most detailed text that fits; the least detailed one when none does. */
export function fitting(write: (detail: Detail) => string): string {
  let text = ''
  for (const detail of LADDER) {
    text = write(detail)
    if (text.length < MOST_CHARACTERS) break
  }
  return text
}
