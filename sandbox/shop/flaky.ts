/** Ways in which a flaky route answers. */
export const MOODS = 4

/** Which way the visit of this number is answered: as many routes as moods, asked one after the other, all change every round. */
export const moodOf = (visit: number): number => (visit + Math.floor(visit / MOODS)) % MOODS
