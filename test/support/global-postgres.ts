import type { TestProject } from 'vitest/node'
import type { CitusCluster } from './citus.ts'
import { citusPrograms } from './citus-programs.ts'
import { throwAwayPostgres, unusedPostgres } from './postgres.ts'
import { UNUSED_POSTGRES } from './program.ts'

/**
 * One real Postgres for the whole run, or the one `DATABASE_URL` names. With `TOLLBOOK_TEST_CITUS=1` the tests of both
 * engines run on a Citus cluster too.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const isClustered = process.env.TOLLBOOK_TEST_CITUS === '1'
  const cluster = isClustered ? await startCluster() : null
  project.provide('clusterUrls', cluster?.urls ?? null)
  if (process.env.DATABASE_URL) {
    project.provide('databaseUrl', process.env.DATABASE_URL)
    return cluster?.stop
  }
  try {
    const unused = unusedPostgres()
    process.env[UNUSED_POSTGRES] = unused.data
    // Nobody kills it: what it keeps need not outlast the machine.
    const server = await throwAwayPostgres([
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
      // It would go round all databases that tests have made, again and again.
      'autovacuum=off',
      // Nobody follows it, and what it reads is in memory: other processes that would write and read for it cost more.
      ...['wal_level=minimal', 'max_wal_senders=0', 'io_method=sync', 'update_process_title=off'],
    ])
    project.provide('databaseUrl', server.url)
    return async () => {
      await server.stop()
      unused.remove()
      await cluster?.stop()
    }
  } catch (error) {
    // In CI a missing Postgres is a failure, not a skip.
    if (process.env.CI) throw error
    console.warn(`No Postgres here, its tests are skipped: ${error}`)
    project.provide('databaseUrl', null)
    return cluster?.stop
  }
}

async function startCluster(): Promise<CitusCluster> {
  const programs = citusPrograms()
  if (programs === null) throw new Error('TOLLBOOK_TEST_CITUS needs Citus: scripts/citus.sh says how to build it')
  const { makeTemplate, throwAwayCluster } = await import('./citus.ts')
  const cluster = await throwAwayCluster(programs, ['fsync=off'])
  await makeTemplate(cluster.urls, 2)
  return cluster
}

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string | null
    /** The coordinator's first. */
    clusterUrls: readonly string[] | null
  }
}
