import { classify, type ProbeResult } from '../probe.ts'

/** The place that a prober looks from, by the name its operator gave it; empty: it said none. */
export type Vantage = string

export const NO_VANTAGE: Vantage = ''

export const isVantage = (text: string): boolean => /^[a-z0-9-]{1,32}$/.test(text)

/** Whose challenge page stood before a seller. In the order of their stored numbers: new ones go last. */
export const SHIELDS = ['cloudflare', 'akamai', 'aws-waf', 'datadome', 'human', 'vercel', 'imperva'] as const
export type Shield = (typeof SHIELDS)[number]

export const SHIELD_NAMES: Readonly<Record<Shield, string>> = {
  cloudflare: 'Cloudflare',
  akamai: 'Akamai',
  'aws-waf': 'AWS WAF',
  datadome: 'DataDome',
  human: 'HUMAN',
  vercel: 'Vercel',
  imperva: 'Imperva',
}

/** The class of an entry, with those that somebody turned away told from those that nobody served. The class is the status' own. */
export const SEEN = ['402-correct', 'answers', 'blocked', 'failed', 'unreachable'] as const
export type Seen = (typeof SEEN)[number]

const TURNED_AWAY: readonly (number | null)[] = [403, 429]

export interface Looked {
  /** `null`: no HTTP result. */
  readonly httpStatus: number | null
  readonly shield: Shield | null
}

export function seenOf({ httpStatus, shield }: Looked): Seen {
  const result = classify(httpStatus)
  if (result === '402-correct') return result
  return shield !== null || TURNED_AWAY.includes(httpStatus) ? 'blocked' : result
}

/** The better a result, the smaller its number. */
export const BEST_FIRST: Readonly<Record<ProbeResult, number>> = {
  '402-correct': 0,
  answers: 1,
  failed: 2,
  unreachable: 3,
}
