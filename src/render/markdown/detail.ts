/** How much of what sources and probes say is written out. */
export interface Facts {
  readonly routes: number
  /** So many of them with their listing rows, entries and reviews; the others have one line each. */
  readonly full: number
  /** Of each route in full. */
  readonly listings: number
  readonly probes: number
}

/** How much of what strangers write is written out. */
export interface Voices {
  /** Of each route in full. */
  readonly reviews: number
  readonly posts: number
  /** Code points of each text; longer ones are shortened. */
  readonly letters: number
}

export type Detail = Facts & Voices

const detailOf = ({ routes, full, listings, probes }: Facts, { reviews, posts, letters }: Voices): Detail => ({
  ...{ routes, full, listings, probes, reviews, posts, letters },
})

const ALL = Number.POSITIVE_INFINITY

const ALL_FACTS: Facts = { routes: ALL, full: ALL, listings: ALL, probes: ALL }
const ALL_VOICES: Voices = { reviews: ALL, posts: ALL, letters: ALL }

export const EVERYTHING: Detail = detailOf(ALL_FACTS, ALL_VOICES)

/** Everything, and then less and less. What is left out is always said, with the address where it is. */
const FACTS: readonly Facts[] = [
  ALL_FACTS,
  { ...ALL_FACTS, listings: 5, probes: 3 },
  { ...ALL_FACTS, listings: 2, probes: 2 },
  { ...ALL_FACTS, listings: 1, probes: 1 },
  ...[8, 5, 3, 1].map((full) => ({ ...ALL_FACTS, full, listings: 2, probes: 1 })),
  { ...ALL_FACTS, full: 0 },
  ...[25, 10, 3].map((routes) => ({ ...ALL_FACTS, full: 0, routes })),
]

/** Long texts are shortened before anybody's is left out: nobody is pushed out by another's length. */
const VOICES: readonly Voices[] = [
  ALL_VOICES,
  ...[1000, 400, 160].map((letters) => ({ ...ALL_VOICES, letters })),
  { reviews: 3, posts: 10, letters: 160 },
  { reviews: 2, posts: 5, letters: 160 },
  { reviews: 1, posts: 3, letters: 160 },
  { reviews: 1, posts: 0, letters: 160 },
]
const SILENCE: Voices = { reviews: 0, posts: 0, letters: 0 }

/** What a model reads at once: about 3,000 tokens, at 3.5 characters each. */
export const MOST_TOKENS = 3000
const MOST_CHARACTERS = MOST_TOKENS * 3.5
/** Never filled with facts: enough to say how many reviews and posts there are, and where. */
const KEPT_FOR_VOICES = 1000

/**
 * The most detailed text that fits; the least detailed one when none does. How many facts and observations it holds
 * follows from `silent`, the same without any review or post: whatever strangers write gets the room that is left.
 * `fuller` has what is written only where there is room after all that.
 */
export function fitting(
  write: (detail: Detail) => string,
  silent: (detail: Detail) => string,
  fuller: (detail: Detail) => string = write,
): string {
  const room = MOST_CHARACTERS - KEPT_FOR_VOICES
  const leastFacts = FACTS.at(-1) ?? ALL_FACTS
  const facts = FACTS.find((facts) => silent(detailOf(facts, SILENCE)).length < room) ?? leastFacts
  for (const voices of VOICES) {
    const text = write(detailOf(facts, voices))
    if (text.length >= MOST_CHARACTERS) continue
    const more = fuller === write ? text : fuller(detailOf(facts, voices))
    return more.length < MOST_CHARACTERS ? more : text
  }
  return write(detailOf(facts, SILENCE))
}
