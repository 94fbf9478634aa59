import { problem } from '../../../domain/problem-kinds.ts'
import type { EvidenceLog } from '../../../log/evidence-log.ts'
import type { Services } from '../../call.ts'

/** The log of this directory; a problem where its operator has not set it up. */
export async function openLog({ evidenceLog }: Pick<Services, 'evidenceLog'>): Promise<EvidenceLog> {
  const log = await evidenceLog()
  if (log !== null) return log
  throw problem('log-off', 'This directory keeps no signed log: its operator has set no LOG_KEY.')
}

/** Its newest signed checkpoint; a problem where nothing is signed any more. */
export async function openCheckpoint(services: Pick<Services, 'evidenceLog'>) {
  const log = await openLog(services)
  const checkpoint = await log.checkpoint()
  if (checkpoint !== null) return { log, checkpoint }
  throw problem('log-stopped', `Nothing is signed any more: ${log.fault}.`)
}
