/** Where a program can die on the way of a paid post. */
export const STEPS = [
  'before the intent',
  'after the intent',
  'before settlement',
  'after settlement',
  'before publication',
  'after publication',
] as const
export type Step = (typeof STEPS)[number]
