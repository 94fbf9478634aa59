import { parseArgs } from 'node:util'
import { thousands, thousandsOf } from '../domain/count.ts'
import { type AllowHosts, parseHost } from '../domain/host.ts'
import { Problem } from '../domain/problem.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { ProbeLog } from '../probe/log.ts'
import type { Prober } from '../probe/prober.ts'
import type { ProberDeps } from '../probe/settings.ts'
import type { Skip, Visited } from '../probe/visit.ts'
import { findHostId } from '../store/host-id.ts'
import { countDue, countUnprobeable, makeDue } from '../store/schedule/round.ts'
import type { RoundScope } from '../store/schedule/schedule.ts'
import type { Store } from '../store/store.ts'
import { PROBE } from './catalogue/evidence.ts'
import type { Command, CommandContext } from './command.ts'
import { ProbeTally } from './terminal/probe-tally.ts'
import { longProgressOn, type Screen } from './terminal/progress.ts'

export interface ProbeDeps {
  /** A prober on this store that tells what it does. */
  prober(store: Store, told: Pick<ProberDeps, 'onProbe' | 'onVisit' | 'log'>): Prober
  nowUs(): TimestampUs
  /** Resolves with the next signal to end. */
  nextSignal(): Promise<string>
}

/** `tollbook probe [host…]`: one round now. A signal ends it early, with what was seen until then saved. */
export const probeCommand = (deps: ProbeDeps): Command => ({
  run: async (argv: string[], context: CommandContext): Promise<number> => {
    const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: PROBE.options })
    const stopping = new AbortController()
    void deps.nextSignal().then(() => stopping.abort())
    const store = await context.openStore()
    try {
      return await round(deps, context, store, positionals, stopping.signal)
    } finally {
      await store.close()
    }
  },
})

async function round(
  deps: ProbeDeps,
  { allowHosts, out, err }: CommandContext,
  store: Store,
  names: readonly string[],
  stop: AbortSignal,
): Promise<number> {
  const hostIds = names.length === 0 ? null : await idsOf(store, names, allowHosts)
  const startedMs = performance.now()
  const seconds = (): number => (performance.now() - startedMs) / 1000
  const tally = new ProbeTally()
  const skipped: Record<Skip, number> = { not_probeable: 0, robots: 0, opted_out: 0 }
  const hosts = new Set<string>()
  let total: number | null = null
  const progress = longProgressOn(err)
  const onVisit = (visited: Visited): void => {
    if (visited.probed.length + visited.skipped.length > 0) hosts.add(visited.turn.host)
    for (const { why } of visited.skipped) skipped[why]++
  }
  const onProbe: ProberDeps['onProbe'] = ({ entry }) => {
    tally.add(entry)
    const rates = tally.rates(seconds())
    const of = total === null ? '' : ` of ${total}`
    progress.update(['probing', tally.entries, total, rates], () => `probing: ${tally.entries}${of}, ${rates}`)
  }
  const prober = deps.prober(store, { onProbe, onVisit, log: logOn(err, progress.end) })
  await prober.enrolAll(stop)
  const nowUs = deps.nowUs()
  const vantageId = await prober.vantageId()
  if (hostIds !== null) await makeDue(store, vantageId, hostIds, nowUs)
  const scope: RoundScope = { vantageId, cutoffUs: nowUs, hostIds }
  total = await countDue(store, scope)
  await prober.round(scope, stop)
  progress.end()
  skipped.not_probeable += await countUnprobeable(store, scope)
  const left = await countDue(store, scope)
  out.write(tally.table())
  out.write(`${endOf(tally.entries, hosts.size, seconds())}${notesOf(skipped, left)}\n`)
  return ['offline', 'clock'].includes(prober.status().state) || stop.aborted ? 1 : 0
}

async function idsOf(store: Store, names: readonly string[], allow: AllowHosts): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) {
    const reading = parseHost(name, allow)
    const id = reading.ok ? await findHostId(store.read, reading.host) : undefined
    if (id === undefined) {
      const hint = reading.ok ? 'name a host that a listing source has named' : reading.reason
      throw new Problem('no-host', 404, 'No such host', `there is no host ${name}`, hint)
    }
    ids.push(id)
  }
  return ids
}

const endOf = (entries: number, hosts: number, seconds: number): string =>
  `Probed ${thousandsOf(entries, 'route')} of ${thousandsOf(hosts, 'host')} in ${thousands(Math.round(seconds))} s`

function notesOf({ not_probeable, robots, opted_out }: Readonly<Record<Skip, number>>, left: number): string {
  const notes = [
    not_probeable > 0 ? `${thousands(not_probeable)} not probeable as listed` : '',
    robots > 0 ? `${thousands(robots)} kept out by robots.txt` : '',
    opted_out > 0 ? `${thousands(opted_out)} opted out` : '',
    left > 0 ? `${thousands(left)} still due` : '',
  ].filter((note) => note !== '')
  return notes.length === 0 ? '.' : `; ${notes.join(', ')}.`
}

/** What the prober says, as lines between the bars. */
function logOn(err: Screen, clear: () => void): ProbeLog {
  const say = (_: object, text: string): void => {
    clear()
    err.write(`${text}\n`)
  }
  return { info: say, warn: say, error: say }
}
