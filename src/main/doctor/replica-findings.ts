import type { Finding } from '../../cli/doctor.ts'
import { Problem } from '../../domain/problem.ts'
import { openReplicas } from '../../store/open.ts'
import type { Config } from '../config.ts'
import { fail, ok, warn } from './finding.ts'

/** How the replicas are that web processes would read from. */
export async function replicaFinding({ databaseUrl, readUrls }: Config): Promise<Finding> {
  const opened = await openReplicas({ databaseUrl, readUrls, onTrouble: () => undefined }).catch(refusal)
  if (opened === undefined) return ok('none')
  if (opened instanceof Problem) return fail(opened.detail, opened.hint)
  const replicas = opened
  try {
    const each = replicas.standing().replicas
    const words = each.map(({ name, state }) => `${name} ${state}`).join(', ')
    return each.every(({ state }) => state === 'following')
      ? ok(words)
      : warn(
          words,
          'name streaming replicas of DATABASE_URL in DATABASE_READ_URL; the writer answers for those left out',
        )
  } finally {
    await replicas.close()
  }
}

function refusal(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}
