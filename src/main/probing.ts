import type { Egress } from '../probe/egress.ts'
import { isOptedOut } from '../probe/politeness.ts'
import { createProber, type Prober } from '../probe/prober.ts'
import { isAllowed } from '../probe/robots.ts'
import { readRobots } from '../probe/robots-file.ts'
import { DEFAULT_PROBER, type ProberDeps } from '../probe/settings.ts'
import { isEndedProgram, programName } from '../store/program-name.ts'
import type { Store } from '../store/store.ts'
import type { ProbeRules } from '../views/why/why-view.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'

/** A prober with this program's settings; `told` hears what it does. */
export const proberOf = (
  config: Config,
  store: Store,
  egress: Egress,
  told: Pick<ProberDeps, 'log' | 'onProbe' | 'onVisit' | 'onCrowd'>,
): Prober =>
  createProber(
    { store, egress, nowUs, name: programName(), isEnded: isEndedProgram, ...told },
    { ...DEFAULT_PROBER, ...config.probing },
  )

/** Whom this program's probers call, for whoever asks why a route is not probed. */
export const probeRulesOf = ({ probing: { methods, manners } }: Config): ProbeRules => ({
  methods,
  isOptedOut: (host) => isOptedOut(manners.optOut, host),
  isAllowed: (robots, scheme, path) => isAllowed(readRobots(robots)[scheme]?.rules ?? [], path),
})
