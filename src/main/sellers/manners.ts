import type { SellerHost } from '../../domain/host.ts'
import type { HostAnswer, SellerManners } from '../../ingest/sweep/seller-calls.ts'
import { storedTurn, storePause } from '../../ingest/sweep/stored-turns.ts'
import type { Egress, EgressAnswer } from '../../probe/egress.ts'
import { isOptedOut, retryAfterIn } from '../../probe/politeness.ts'
import { PROBE_LIMITS } from '../../probe/probe-route.ts'
import { isAllowed } from '../../probe/robots.ts'
import { isFresh, type KnownRobots, readRobots, refreshRobots } from '../../probe/robots-file.ts'
import type { Store } from '../../store/store.ts'
import { nowUs } from '../clock.ts'
import type { Config } from '../config.ts'

const MOST_REMEMBERED = 20_000

/** The prober's manners for whoever reads sellers' own documents: its gap, its opt-outs, and robots.txt as it reads it. */
export function sellerMannersOf(
  { probing: { vantage, manners } }: Pick<Config, 'probing'>,
  store: Store,
  egress: Egress,
): SellerManners {
  /** Of hosts whose robots.txt no prober has read lately. */
  const remembered = new Map<SellerHost, KnownRobots>()
  const remember = (host: SellerHost, robots: KnownRobots): void => {
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= MOST_REMEMBERED) remembered.delete(oldest)
    remembered.set(host, robots)
  }
  return {
    gapMs: manners.gapMs,
    isOptedOut: (host) => isOptedOut(manners.optOut, host),
    notBeforeUs: async (host) => (await storedTurn(store, host, vantage)).notBeforeUs,
    pauseUntil: (host, untilUs) => storePause(store, host, vantage, untilUs),
    rulesOf: async ({ scheme, host }, inTurn) => {
      const { robots } = await storedTurn(store, host, vantage)
      const staleUs = (one: KnownRobots): number => one[scheme]?.staleUs ?? 0
      let [known = {}] = [remembered.get(host) ?? {}, ...robots.map(readRobots)].toSorted(
        (one, other) => staleUs(other) - staleUs(one),
      )
      let answer: EgressAnswer | null = null
      if (!isFresh(known, scheme, nowUs())) {
        const door: Egress = {
          fetch: async (request) => {
            answer = await inTurn(() => egress.fetch(request))
            return answer
          },
        }
        const found = await refreshRobots(door, known, { scheme, host }, { nowUs, deadlineMs: PROBE_LIMITS.deadlineMs })
        known = found.robots
        remember(host, known)
      }
      const rules = known[scheme]?.rules ?? []
      return { isAllowed: (path) => isAllowed(rules, path), answer: answer && hostAnswerOf(answer) }
    },
  }
}

function hostAnswerOf(answer: EgressAnswer): HostAnswer {
  const reply = answer.ok ? answer : answer.partial
  const retryAfter = retryAfterIn(reply?.headers ?? [])
  return { status: reply?.status ?? null, error: answer.ok ? null : answer.error, retryAfter }
}
