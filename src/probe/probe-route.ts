import type { Challenge, Offer } from '../domain/challenge.ts'
import type { Vantage } from '../domain/now/vantage.ts'
import { addressOf, isTemplate, type Method, type RouteKey } from '../domain/route.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { PayeeInput } from '../store/facts/payees.ts'
import type { RouteRef } from '../store/hosts/route-ref.ts'
import type { OfferInput } from '../store/probes/offers/offer-input.ts'
import type { ProbeInput } from '../store/probes/probes.ts'
import { type Demand, NO_DEMAND, readDemand } from '../wire/challenge/challenge.ts'
import type { Egress, EgressAnswer, EgressReply, EgressRequest, HeaderPair } from './egress.ts'
import { shieldOf } from './shield.ts'

/** Methods that are sent without the operator's word: the others change things at the seller's. */
export const SAFE_METHODS: readonly Method[] = ['GET', 'POST']

export interface ProbeLimits {
  /** For everything together, from the lookup to the last byte. */
  readonly deadlineMs: number
  readonly maxBodyBytes: number
}

export const PROBE_LIMITS: ProbeLimits = { deadlineMs: 10_000, maxBodyBytes: 64 * 1024 }

export interface ProbeRouteDeps {
  readonly egress: Egress
  readonly nowUs: () => TimestampUs
  /** Those that are sent. */
  readonly methods?: readonly Method[]
  readonly limits?: ProbeLimits
  readonly vantage?: Vantage | null
}

/** What one probe saw. */
export interface Probed {
  readonly entry: ProbeInput
  readonly payees: readonly PayeeInput[]
  /** What the seller put its signature to. */
  readonly offers: readonly OfferInput[]
  /** When the call was over. */
  readonly endUs: TimestampUs
  /** Whether the outcome is the other side's: a connection was made or refused, whatever came of it. */
  readonly isConnected: boolean
  /** Of the answer; empty when there was none. */
  readonly headers: readonly HeaderPair[]
}

/** A connection that was refused was refused by somebody: it does not say that we are offline. */
const isSomebodysWord = (answer: EgressAnswer): boolean => !answer.ok && answer.error === 'connection_refused'

/** A template path is never filled in, and only these methods are ever sent. */
export const isProbeable = (route: RouteKey, methods: readonly Method[]): boolean =>
  methods.includes(route.method) && !isTemplate(route.path)

/**
 * Calls one route once, without paying, and says what was seen. The class follows from the status alone; everything
 * else stands beside it. Never rejects; throws for a route that must not be called.
 */
export async function probeRoute(
  { egress, nowUs, methods = SAFE_METHODS, limits = PROBE_LIMITS, vantage = null }: ProbeRouteDeps,
  route: RouteRef,
): Promise<Probed> {
  if (!isProbeable(route, methods)) throw new Error(`${route.method} ${route.path} is not probeable`)
  const { host, scheme, method, path, rail, at } = route
  const url = addressOf(scheme, host, path)
  const atUs = nowUs()
  const answer = await egress.fetch({ ...callOf(method), ...limits, method, url, isListed: true })
  const endUs = nowUs()
  const reply = replyOf(answer)
  const { challenge: read, signed, sharers } = reply?.status === 402 ? demandIn(reply, url, endUs) : NO_DEMAND
  const challenge = read ?? (answer.ok && answer.status === 402 ? unasked(answer) : null)
  // Written out: with a spread, making the two objects costs as much as reading the challenge.
  return {
    entry: {
      host,
      scheme,
      method,
      path,
      rail,
      at,
      atUs,
      httpStatus: reply?.status ?? null,
      latencyMs: answer.latencyMs,
      error: answer.ok ? null : answer.error,
      challenge,
      timings: answer.timings,
      remoteAddress: answer.remoteAddress,
      vantage,
      shield: reply && shieldOf(reply),
    },
    payees: [
      ...payeesIn(route, challenge?.offers ?? [], 'challenge', atUs),
      ...payeesIn(route, sharers, 'split', atUs),
    ],
    offers: signed.map((offer) => ({ host, scheme, method, path, rail, at, offer, firstUs: atUs, lastUs: atUs })),
    endUs,
    isConnected: answer.remoteAddress !== null || isSomebodysWord(answer),
    headers: reply?.headers ?? [],
  }
}

/** Those who are to be paid on a network that is named. */
const payeesIn = (
  { host, scheme, method, path, rail, at }: RouteRef,
  named: readonly Pick<Offer, 'network' | 'payee' | 'asset'>[],
  origin: PayeeInput['origin'],
  atUs: TimestampUs,
): PayeeInput[] =>
  named.flatMap(({ network, payee, asset }) =>
    network === null || payee === null
      ? []
      : [{ host, scheme, method, path, rail, at, network, payee, asset, origin, firstUs: atUs, lastUs: atUs }],
  )

/** A head that arrived before the failure is an HTTP result: the status was seen even though the body never ended. */
const replyOf = (answer: EgressAnswer): EgressReply | null => (answer.ok ? answer : answer.partial)

/** Of a 402 that came whole without any challenge: what was asked for before is not asked for any more. */
const NOTHING_ASKED: Challenge = { offers: [], warnings: ['no_offers'] }
/** Of one whose body is in a coding that is not read here: what it asks for is not known. */
const UNREAD: Challenge = { offers: [], warnings: ['other_encoding'] }

const unasked = ({ coding, body }: EgressReply): Challenge =>
  coding === null || body.length === 0 ? NOTHING_ASKED : UNREAD

const demandIn = ({ status, headers, body }: EgressReply, url: string, nowUs: TimestampUs): Demand =>
  readDemand({ url, status, headers, body, nowUs })

/** An empty object is the least that a route which reads JSON can be asked; nothing identifies or pays for anybody. */
const callOf = (method: Method): Pick<EgressRequest, 'headers' | 'body'> =>
  method === 'GET' || method === 'DELETE' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }
