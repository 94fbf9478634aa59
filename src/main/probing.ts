import type { Egress } from '../probe/egress.ts'
import { createProber, type Prober } from '../probe/prober.ts'
import { DEFAULT_PROBER, type ProberDeps } from '../probe/settings.ts'
import type { Store } from '../store/store.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { programName } from './program-name.ts'

/** A prober with this program's settings; `told` hears what it does. */
export const proberOf = (
  config: Config,
  store: Store,
  egress: Egress,
  told: Pick<ProberDeps, 'log' | 'onProbe' | 'onVisit' | 'onCrowd'>,
): Prober =>
  createProber({ store, egress, nowUs, name: programName(), ...told }, { ...DEFAULT_PROBER, ...config.probing })
