import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { dropDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { storeProblem } from '../../domain/store-trouble.ts'
import { lookAtStore, openStore } from '../../store/open.ts'
import { loadConfig } from '../config.ts'
import { databaseFinding } from './store-findings.ts'

const server = inject('databaseUrl')

async function said(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const opened = (databaseUrl: string) => openStore({ dataDir: '/nowhere', databaseUrl })

describe.skipIf(server === null)('a database that does not take our tables', () => {
  let url: string
  beforeAll(async () => {
    url = await freshDatabase(server ?? '')
  })

  it('is refused in one line while its user may make none', async () => {
    await said(url, `create role reader_only login password 'reader'`)
    const asReader = new URL(url)
    asReader.username = 'reader_only'
    asReader.password = 'reader'
    await expect(opened(asReader.href)).rejects.toMatchObject({
      slug: 'database',
      detail: expect.stringMatching(/^the user of DATABASE_URL may make no tables: permission denied/),
      hint: 'make it the owner of the database',
    })
  })

  it('is refused in one line when it holds tables of something else, and the doctor names them', async () => {
    await said(url, 'create table hosts (id integer); create table listings (id integer); create table mine (a text)')
    await expect(opened(url)).rejects.toMatchObject({
      slug: 'database',
      detail: expect.stringMatching(/^the database of DATABASE_URL is not for tollbook alone: .*"hosts"/),
      hint: 'name an empty database in DATABASE_URL',
    })
    expect(await databaseFinding(loadConfig({ DATABASE_URL: url }))).toEqual({
      state: 'fail',
      what: 'Postgres of DATABASE_URL holds hosts, listings of something else',
      fix: 'name an empty database in DATABASE_URL',
    })
  })

  it('is none with tables of other names beside ours', async () => {
    const other = await freshDatabase(server ?? '')
    await said(other, 'create table mine (a text)')
    expect(await databaseFinding(loadConfig({ DATABASE_URL: other }))).toMatchObject({ state: 'ok' })
    await (await opened(other)).close()
  })
})

describe.skipIf(server === null)('a database whose settings are changed', () => {
  let url: string
  beforeAll(async () => {
    url = await freshDatabase(server ?? '')
    await (await opened(url)).close()
  })

  it('is refused in one line when its search_path names no schema, by the doctor, too', async () => {
    const name = new URL(url).pathname.slice(1)
    await said(server ?? '', `alter database ${name} set search_path = nosuch`)
    await expect(opened(url)).rejects.toMatchObject({
      detail: expect.stringMatching(/^the search_path of the user of DATABASE_URL names no schema: no schema has been/),
    })
    expect(await databaseFinding(loadConfig({ DATABASE_URL: url }))).toMatchObject({
      ...{ state: 'fail', what: 'the search_path of the user of DATABASE_URL names no schema' },
    })
    await said(server ?? '', `alter database ${name} reset search_path`)
  })

  it('is told in one line when its user may not use the tables any more', async () => {
    await said(url, `create role without_rights login password 'w'`)
    await said(url, 'grant create on schema public to without_rights')
    const without = new URL(url)
    without.username = 'without_rights'
    without.password = 'w'
    const detail = expect.stringMatching(
      /^the user of DATABASE_URL may not use what is there: permission denied for tab/,
    )
    const looking = lookAtStore({ dataDir: '/nowhere', databaseUrl: without.href })
    expect(await looking.catch(storeProblem)).toMatchObject({ slug: 'database', detail })
    await expect(opened(without.href)).rejects.toMatchObject({ slug: 'database', detail })
    expect(await databaseFinding(loadConfig({ DATABASE_URL: without.href }))).toMatchObject({ what: detail })
  })
})

it.skipIf(server === null)('a database that does not hold every text is refused, by the doctor, too', async () => {
  for (const encoding of ['LATIN1', 'SQL_ASCII']) {
    const name = `tollbook_${encoding.toLowerCase()}_${process.pid}`
    await said(server ?? '', `create database ${name} encoding '${encoding}' template template0`)
    const url = new URL(server ?? '')
    url.pathname = `/${name}`
    const detail = `the database of DATABASE_URL is encoded in ${encoding}, which does not hold every text`
    await expect(opened(url.href)).rejects.toMatchObject({ slug: 'database', detail })
    expect(await databaseFinding(loadConfig({ DATABASE_URL: url.href }))).toMatchObject({ state: 'fail', what: detail })
    await dropDatabase(server ?? '', url.href)
  }
})

describe.skipIf(server === null)('a server that takes no writes any more', () => {
  it('is not ready, fails with the doctor, and is told in one line at the next start', async () => {
    const url = await freshDatabase(server ?? '')
    const name = new URL(url).pathname.slice(1)
    const options = { dataDir: '/nowhere', databaseUrl: url, onTrouble: () => undefined }
    const store = await openStore(options)
    await store.ping()
    const others = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
    await said(server ?? '', `alter database ${name} set default_transaction_read_only = on`)
    await said(server ?? '', others)
    await expect.poll(() => store.ping().catch(String)).toMatch('the database takes no writes')
    expect(await databaseFinding(loadConfig({ DATABASE_URL: url }))).toMatchObject({
      state: 'fail',
      what: 'the database takes no writes',
      fix: expect.stringContaining('DATABASE_URL'),
    })
    await expect(openStore(options)).rejects.toMatchObject({
      slug: 'database',
      detail: expect.stringMatching(/^the database of DATABASE_URL takes no writes: cannot execute CREATE TABLE/),
      hint: 'name the primary in DATABASE_URL',
    })
    await said(server ?? '', `alter database ${name} reset default_transaction_read_only`)
    await said(server ?? '', others)
    await expect.poll(() => store.ping().then(() => 'ready', String)).toBe('ready')
    expect(await databaseFinding(loadConfig({ DATABASE_URL: url }))).toMatchObject({ state: 'ok' })
    await store.close()
    await dropDatabase(server ?? '', url)
  })
})
