import type { SellerHost } from '../domain/host.ts'
import { addressOf, type Scheme } from '../domain/route.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Egress, EgressReply } from './egress.ts'
import { parseRobots, ROBOTS_BYTES, type RobotsRule } from './robots.ts'

const HOUR_US = 3_600_000_000
/** A file that was read is good for a day; when it cannot be read, the next try is an hour later. */
const KEPT_US = 24 * HOUR_US
const RETRY_US = HOUR_US
/** RFC 9309 asks for five. Only within the host: a redirect must not make us call somebody else. */
const MOST_REDIRECTS = 5

/** What is known of a host's robots.txt files: one for each scheme, as RFC 9309 has it. */
export type KnownRobots = Readonly<Partial<Record<Scheme, KnownFile>>>

interface KnownFile {
  /** When to read it again. */
  readonly staleUs: TimestampUs
  readonly rules: readonly RobotsRule[]
}

/** As the schedule keeps it. */
export const readRobots = (text: string | null): KnownRobots => (text === null ? {} : JSON.parse(text))
export const writeRobots = (known: KnownRobots): string | null =>
  Object.keys(known).length === 0 ? null : JSON.stringify(known)

export const isFresh = (known: KnownRobots, scheme: Scheme, nowUs: TimestampUs): boolean =>
  (known[scheme]?.staleUs ?? 0) > nowUs

/**
 * Reads the host's robots.txt again. No file, or one that is forbidden, has no rules. When the host cannot be reached
 * the last rules stand: that a host is down is what a probe is for, so it is not taken for a prohibition.
 */
export async function refreshRobots(
  egress: Egress,
  known: KnownRobots,
  scheme: Scheme,
  host: SellerHost,
  nowUs: () => TimestampUs,
  deadlineMs: number,
): Promise<KnownRobots> {
  const rules = await fetchRules(egress, addressOf(scheme, host, '/robots.txt'), deadlineMs, MOST_REDIRECTS)
  const entry = rules
    ? { staleUs: nowUs() + KEPT_US, rules }
    : { staleUs: nowUs() + RETRY_US, rules: known[scheme]?.rules ?? [] }
  return { ...known, [scheme]: entry }
}

/** `null`: could not be read now. */
async function fetchRules(
  egress: Egress,
  url: string,
  deadlineMs: number,
  redirects: number,
): Promise<RobotsRule[] | null> {
  const answer = await egress.fetch({ method: 'GET', url, deadlineMs, maxBodyBytes: ROBOTS_BYTES, isListed: true })
  if (!answer.ok || answer.status >= 500 || answer.status === 429) return null
  if (answer.status >= 300 && answer.status < 400) {
    const next = redirectOf(answer, url)
    return next === undefined || redirects === 0 ? [] : fetchRules(egress, next, deadlineMs, redirects - 1)
  }
  return answer.status >= 400 ? [] : parseRobots(Buffer.from(answer.body).toString('utf8'))
}

function redirectOf(answer: EgressReply, from: string): string | undefined {
  const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (location === undefined || !URL.canParse(location, from)) return undefined
  const [next, old] = [new URL(location, from), new URL(from)]
  return next.hostname === old.hostname ? next.href : undefined
}
