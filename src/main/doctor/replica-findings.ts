import { sleep } from '../../async/sleep.ts'
import type { Finding } from '../../cli/doctor.ts'
import { Problem } from '../../domain/problem.ts'
import { openReplicas } from '../../store/open.ts'
import type { ReplicaStanding } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { fail, ok, warn } from './finding.ts'

/** Looks are half a second apart: a replica that only had something on its way follows by then. */
const SECOND_LOOK_MS = 1_500

/** How the replicas are that web processes would read from. */
export async function replicaFinding({
  databaseUrl,
  readUrls,
}: Pick<Config, 'databaseUrl' | 'readUrls'>): Promise<Finding> {
  const opened = await openReplicas({ databaseUrl, readUrls, onTrouble: () => undefined }).catch(refusal)
  if (opened === undefined) return ok('none')
  if (opened instanceof Problem) return fail(opened.detail, opened.hint)
  const replicas = opened
  try {
    const isFollowing = ({ state }: Replica): boolean => state === 'following'
    if (!replicas.standing().replicas.every(isFollowing)) await sleep(SECOND_LOOK_MS)
    const each = replicas.standing().replicas
    const words = each.map(wordsOf).join(', ')
    return each.every(isFollowing)
      ? ok(words)
      : warn(
          words,
          'name streaming replicas of DATABASE_URL in DATABASE_READ_URL; the writer answers for those left out',
        )
  } finally {
    await replicas.close()
  }
}

type Replica = ReplicaStanding['replicas'][number]

const wordsOf = ({ name, state, lagBytes }: Replica): string =>
  state === 'behind' && lagBytes !== null ? `${name} behind by ${lagBytes} bytes` : `${name} ${state}`

function refusal(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}
