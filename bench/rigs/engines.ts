import type { StoreOptions } from '../../src/store/open.ts'
import { freshDatabase, throwAwayPostgres } from '../../test/support/postgres.ts'

/** Where stores of one engine are made. */
export interface BenchEngine {
  readonly name: 'SQLite' | 'Postgres'
  /** Where an empty store would be. */
  fresh(): Promise<StoreOptions>
}

export interface BenchEngines {
  readonly engines: readonly BenchEngine[]
  stop(): Promise<void>
}

/** Both engines. The Postgres server is a throw-away one of this run, started when a case first wants it. */
export function bothEngines(folder: () => string): BenchEngines {
  let server: ReturnType<typeof throwAwayPostgres> | undefined
  return {
    engines: [
      { name: 'SQLite', fresh: async () => ({ dataDir: folder(), databaseUrl: undefined }) },
      {
        name: 'Postgres',
        fresh: async () => {
          server ??= throwAwayPostgres()
          return { dataDir: folder(), databaseUrl: await freshDatabase((await server).url) }
        },
      },
    ],
    stop: async () => (await server)?.stop(),
  }
}
