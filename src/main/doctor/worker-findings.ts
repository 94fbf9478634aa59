import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import type { Finding } from '../../cli/doctor.ts'
import type { Config } from '../config.ts'
import { ok, warn } from './finding.ts'
import { withStore } from './store-findings.ts'

/** What each process opens at most: `docs/operating.md` says the same. */
const CONNECTIONS_EACH = 20

/** Whether this machine and its database have room for so many web processes. */
export async function workersFinding(config: Config): Promise<Finding> {
  const { webWorkers } = config
  const cores = availableParallelism()
  if (webWorkers > cores) return warn(`${webWorkers} on ${cores} cores`, `set WEB_WORKERS to ${cores} or fewer`)
  if (config.databaseUrl === undefined) return ok(`${webWorkers} on ${cores} cores`)
  const most = await mostConnections(config)
  const wanted = CONNECTIONS_EACH * (webWorkers + 1)
  return most >= wanted
    ? ok(`${webWorkers} on ${cores} cores`)
    : warn(`they open up to ${wanted} connections, and the database takes ${most}`, 'raise max_connections of Postgres')
}

function mostConnections(config: Config): Promise<number> {
  return withStore(config, async ({ read }) => {
    const { rows } = await sql<{ most: number }>`select current_setting('max_connections')::int as most`.execute(read)
    return rows[0]?.most ?? 0
  })
}
