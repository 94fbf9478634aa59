import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { LogView } from '../../views/log-view.ts'
import { DOES_NOT_PROVE, logCommands, PROVES } from '../log/page-words.ts'
import { fullAddress, logCheckpointHref, logVerifierHref, type Site } from '../site.ts'

export const logPageJson = (site: Site, view: LogView) => ({
  origin: view.origin,
  vkey: view.vkey,
  size: view.size,
  root: view.root,
  grown_at: view.grownUs === null ? null : formatTimestamp(view.grownUs),
  witnesses: view.cosignatures.map(({ witness, size, atUs }) => ({ witness, size, at: formatTimestamp(atUs) })),
  history_left: view.historyLeft,
  fault: view.fault,
  proves: PROVES,
  does_not_prove: DOES_NOT_PROVE,
  commands: logCommands(site, view),
  checkpoint_href: fullAddress(site, logCheckpointHref),
  verifier_href: fullAddress(site, logVerifierHref),
})
