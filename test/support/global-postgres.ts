import type { TestProject } from 'vitest/node'
import { throwAwayPostgres } from './postgres.ts'

/** One real Postgres for the whole run, or the one `DATABASE_URL` names. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DATABASE_URL) {
    project.provide('databaseUrl', process.env.DATABASE_URL)
    return undefined
  }
  try {
    const server = await throwAwayPostgres()
    project.provide('databaseUrl', server.url)
    return () => server.stop()
  } catch (error) {
    // In CI a missing Postgres is a failure, not a skip.
    if (process.env.CI) throw error
    console.warn(`No Postgres here, its tests are skipped: ${error}`)
    project.provide('databaseUrl', null)
    return undefined
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string | null
  }
}
