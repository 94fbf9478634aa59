import pg from 'pg'
import { freePort, type ThrowAwayPostgres, throwAwayPostgres } from '../../test/support/postgres.ts'
import { tollbook } from '../../test/support/program.ts'
import { isReady, until } from './asking.ts'
import type { Money, Till } from './money.ts'
import { type Market, openMarket } from './sellers.ts'
import { type Served, startServe } from './serve.ts'
import { Writers } from './writers.ts'

export type EngineName = 'SQLite' | 'Postgres'

/** The whole directory at work: sweeps, probes, reviews and paid posts, with everything behind it on this machine. */
export interface BusyWorld {
  readonly engine: EngineName
  readonly address: string
  readonly market: Market
  readonly till: Till
  readonly writers: Writers
  /** `null` on SQLite. */
  readonly postgres: ThrowAwayPostgres | null
  /** The same place again, after it was killed. */
  start(): Promise<void>
  killProgram(): Promise<void>
  /** From now on Postgres answers before it has written anything down. */
  forget(): Promise<void>
  /** Ends the program, and says what `tollbook verify` prints then. */
  verify(): Promise<string>
  stop(): Promise<void>
}

export interface BusyOptions {
  readonly engine: EngineName
  readonly folder: string
  readonly money: Money
  /** Of sellers. */
  readonly hosts: number
  /** How long its writers rest after what they wrote. */
  readonly restMs: number
}

const START_MS = 30_000

export async function openBusyWorld({ engine, folder, money, hosts, restMs }: BusyOptions): Promise<BusyWorld> {
  const market = await openMarket(folder, hosts)
  const till = money.till()
  const postgres = engine === 'Postgres' ? await throwAwayPostgres() : null
  const env = {
    ...{ DATA_DIR: `${folder}/data`, DATABASE_URL: postgres?.url, PORT: String(await freePort()) },
    ...{ LOG_LEVEL: 'error', ...market.env, ...till.env },
  }
  const address = `http://127.0.0.1:${env.PORT}`
  let served: Served | undefined
  const writers = new Writers(() => address, await money.wallet(), restMs)
  const start = async (): Promise<void> => {
    served = await startServe(env)
    if ((await until(() => isReady(address), START_MS)) === undefined) throw new Error('the directory is not ready')
  }
  const stopProgram = async (): Promise<void> => {
    await served?.stop()
    served = undefined
  }
  await market.importInto({ dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL })
  await start()
  return {
    ...{ engine, address, market, till, writers, postgres, start },
    killProgram: async () => {
      await served?.kill()
      served = undefined
    },
    forget: async () => {
      const client = new pg.Client({ connectionString: env.DATABASE_URL })
      await client.connect()
      await client.query('alter system set synchronous_commit = off')
      await client.query("alter system set wal_writer_delay = '10s'")
      await client.query('select pg_reload_conf()')
      await client.end()
    },
    verify: async () => {
      await stopProgram()
      return (await tollbook(['verify'], env)).out.trim().split('\n').at(-1) ?? ''
    },
    stop: async () => {
      await stopProgram()
      await Promise.all([market.close(), postgres?.stop()])
    },
  }
}
