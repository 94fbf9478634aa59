import { addressOf, type RouteAddress, type Scheme } from '../domain/route.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Egress, EgressAnswer, EgressReply } from './egress.ts'
import { pauseIn } from './politeness.ts'
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

/** What is good for longer than any file that is read now was read by a clock that was ahead. */
export function isFresh(known: KnownRobots, scheme: Scheme, nowUs: TimestampUs): boolean {
  const staleUs = known[scheme]?.staleUs ?? 0
  return staleUs > nowUs && staleUs <= nowUs + KEPT_US + HOUR_US
}

/** What came of reading a robots.txt again. */
interface Refreshed {
  readonly robots: KnownRobots
  /** How long the host asked to be left alone when it was asked for the file; `null` when it did not. */
  readonly pauseMs: number | null
}

/**
 * Reads the host's robots.txt again. No file, or one that is forbidden, has no rules. When the host cannot be reached
 * the last rules stand: that a host is down is what a probe is for, so it is not taken for a prohibition. Nor is a pause:
 * the next try is an hour after it, so that a file which is never given out does not keep its host from being probed. Nor is
 * a redirect that there is no time to follow.
 */
export async function refreshRobots(
  egress: Egress,
  known: KnownRobots,
  { scheme, host }: Pick<RouteAddress, 'scheme' | 'host'>,
  patience: Patience,
): Promise<Refreshed> {
  const url = addressOf(scheme, host, '/robots.txt')
  const { rules, answer } = await fetchRules(egress, url, patience, MOST_REDIRECTS)
  const atUs = patience.nowUs()
  const pauseMs = pauseIn(answer, atUs)
  const freshUs = Math.max(rules ? KEPT_US : RETRY_US, (pauseMs ?? 0) * 1000 + RETRY_US)
  const entry = { staleUs: atUs + freshUs, rules: rules ?? known[scheme]?.rules ?? [] }
  return { robots: { ...known, [scheme]: entry }, pauseMs }
}

interface Fetched {
  /** `null`: could not be read now. */
  readonly rules: readonly RobotsRule[] | null
  /** The last one. */
  readonly answer: EgressAnswer
}

interface Patience {
  readonly nowUs: () => TimestampUs
  /** Of each call. */
  readonly deadlineMs: number
  /** Whether there is time for another call; unset, there always is. */
  readonly isTime?: () => boolean
}

async function fetchRules(egress: Egress, url: string, patience: Patience, redirects: number): Promise<Fetched> {
  const { deadlineMs, isTime = () => true } = patience
  const answer = await egress.fetch({ method: 'GET', url, deadlineMs, maxBodyBytes: ROBOTS_BYTES, isListed: true })
  if (!answer.ok || answer.status >= 500 || answer.status === 429) return { rules: null, answer }
  const next = answer.status >= 300 && answer.status < 400 ? redirectOf(answer, url) : undefined
  if (next !== undefined && redirects > 0)
    return isTime() ? fetchRules(egress, next, patience, redirects - 1) : { rules: null, answer }
  return { rules: answer.status >= 300 ? [] : parseRobots(Buffer.from(answer.body).toString('utf8')), answer }
}

/** Within the host and its port; to the same name by https, and never back from it. */
function redirectOf(answer: EgressReply, from: string): string | undefined {
  const location = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (location === undefined || !URL.canParse(location, from)) return undefined
  const [next, old] = [new URL(location, from), new URL(from)]
  const isWithin = next.host === old.host && (next.protocol === old.protocol || next.protocol === 'https:')
  return isWithin ? next.href : undefined
}
