import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { distribute } from '../../src/store/engines/citus.ts'
import { openStore } from '../../src/store/open.ts'
import { type ThrowAwayPostgres, throwAwayPostgres } from './postgres.ts'

export interface CitusCluster {
  readonly coordinator: ThrowAwayPostgres
  readonly workers: readonly ThrowAwayPostgres[]
  /** Of its nodes, the coordinator first. */
  readonly urls: readonly string[]
  stop(): Promise<void>
}

const SETTINGS = [
  'shared_preload_libraries=citus',
  'max_connections=300',
  'max_prepared_transactions=300',
  'max_worker_processes=100',
  'citus.local_hostname=127.0.0.1',
  'citus.node_conninfo=sslmode=disable',
]

/** A real cluster of a coordinator and two workers that nobody else uses, without a database yet. */
export async function throwAwayCluster(programs: string, settings: readonly string[] = []): Promise<CitusCluster> {
  const start = (): Promise<ThrowAwayPostgres> => throwAwayPostgres([...SETTINGS, ...settings], programs)
  const [coordinator, ...workers] = await Promise.all([start(), start(), start()])
  const nodes = [coordinator, ...workers]
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  return { coordinator, workers, urls: nodes.map(({ url }) => url), stop }
}

/** An empty database on every node, of which the first coordinates the others; nothing is distributed in it. */
export async function joinedDatabase(urls: readonly string[], name: string): Promise<string> {
  await Promise.all(urls.map((url) => asked(url, `create database ${name}`)))
  const [coordinator = '', ...workers] = urls.map((url) => databaseAt(url, name))
  await Promise.all([coordinator, ...workers].map((url) => asked(url, 'create extension citus')))
  await asked(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${new URL(coordinator).port})`)
  for (const url of workers) await asked(coordinator, `select citus_add_node('127.0.0.1', ${new URL(url).port})`)
  return coordinator
}

const TEMPLATE = 'tollbook_template'

/** What `freshCitusDatabase` copies. */
export async function makeTemplate(urls: readonly string[], shards: number): Promise<void> {
  await distributed(await joinedDatabase(urls, TEMPLATE), shards)
}

/** One database on every node, distributed and empty. */
export interface CitusDatabase {
  readonly url: string
  drop(): Promise<void>
}

let databases = 0

/** On the cluster with these nodes. */
export async function freshCitusDatabase([coordinator = '', ...workers]: readonly string[]): Promise<CitusDatabase> {
  const name = `tollbook_test_${process.pid}_${Date.now()}_${databases++}`
  const urls = [coordinator, ...workers]
  await Promise.all(urls.map((url) => copyTemplate(url, name)))
  const url = databaseAt(coordinator, name)
  // The settings of a database are not copied with it.
  await distributed(url)
  const drop = async (): Promise<void> => {
    await Promise.all(urls.map((node) => asked(node, `drop database ${name} with (force)`)))
  }
  return { url, drop }
}

function databaseAt(url: string, name: string): string {
  const at = new URL(url)
  at.pathname = `/${name}`
  return at.href
}

async function distributed(databaseUrl: string, shards?: number): Promise<void> {
  const store = await openStore({ dataDir: '', databaseUrl })
  await distribute(store, shards)
  await store.close()
}

async function asked(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Citus keeps a process in every database that it has seen, which a template must not have. */
async function copyTemplate(url: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await asked(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`)
      await asked(url, `create database ${name} template ${TEMPLATE}`)
      return
    } catch (error) {
      if (tries === 50) throw error
      await wait(50)
    }
  }
}
