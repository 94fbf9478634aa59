export const LEVELS = ['Verified buyer', 'Signed', 'Unsigned'] as const
export type SupportLevel = (typeof LEVELS)[number]

export const LEVEL_MEANINGS: Readonly<Record<SupportLevel, string>> = {
  'Verified buyer': 'A valid signature and a matching public payment support the review.',
  Signed: 'A valid wallet signature supports the review, but no matching payment does.',
  Unsigned: 'No wallet signature supports the review.',
}

/** Why a stored review is shown under its own label and never counted. */
export const EXCLUSIONS = ['founder', 'self-generated'] as const
export type Exclusion = (typeof EXCLUSIONS)[number]
