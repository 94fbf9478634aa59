/** So many in so much time. */
export interface Rate {
  readonly count: number
  readonly windowMs: number
}

export interface RateLimits {
  /** Accepted unsigned reviews. */
  readonly unsigned: Rate
  /** Accepted unsigned reviews of one seller host, from wherever they come. */
  readonly 'unsigned-host': Rate
  /** Signed writes. */
  readonly signed: Rate
  /** Claims and statements about one seller host, by whoever proved to be its seller. */
  readonly 'seller-host': Rate
  /** Requests of any kind. */
  readonly reads: Rate
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const DEFAULT_RATE_LIMITS = 'unsigned=5/h,unsigned-host=50/d,signed=60/h,seller-host=60/h,reads=600/m'

const DEFAULTS: RateLimits = {
  unsigned: { count: 5, windowMs: 3_600_000 },
  'unsigned-host': { count: 50, windowMs: 86_400_000 },
  signed: { count: 60, windowMs: 3_600_000 },
  'seller-host': { count: 60, windowMs: 3_600_000 },
  reads: { count: 600, windowMs: 60_000 },
}

const NAMES = ['unsigned', 'unsigned-host', 'signed', 'seller-host', 'reads'] as const
const PART = new RegExp(`^\\s*(${NAMES.join('|')})\\s*=\\s*([1-9]\\d{0,8})/([smhd])\\s*$`)

/** `unsigned=5/h,signed=60/h,reads=600/m`, each name once, one left out keeps its default; `off` is `null`; else `undefined`. */
export function parseRateLimits(text: string): RateLimits | null | undefined {
  if (text.trim() === 'off') return null
  const limits = { ...DEFAULTS }
  const named = new Set<keyof RateLimits>()
  for (const part of text.split(',')) {
    const [, name, count, unit = ''] = PART.exec(part) ?? []
    const known = NAMES.find((one) => one === name)
    const windowMs = UNIT_MS[unit]
    if (known === undefined || windowMs === undefined || named.has(known)) return undefined
    named.add(known)
    limits[known] = { count: Number(count), windowMs }
  }
  return limits
}
