import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { openRelay, type TcpRelay } from '../../../../test/support/tcp-relay.ts'
import { isAway, reasonOf } from '../../../domain/store-trouble.ts'
import { SilenceWatch } from './silence.ts'

const SHORT = { quietMs: 400, answerMs: 600, settleMs: 200 }
const LONG = 'select pg_sleep(4)'

const server = inject('databaseUrl')

describe.skipIf(server === null).each([false, true])('a connection to Postgres (pipelined: %s)', (pipeline) => {
  let relay: TcpRelay
  let pool: pg.Pool
  let asked: number

  beforeEach(async () => {
    const { port } = new URL(server ?? '')
    relay = await openRelay(Number(port))
    const url = new URL(server ?? '')
    url.port = String(relay.port)
    pool = new pg.Pool({ connectionString: url.href, max: 3, pipeline })
    asked = 0
    const silence = new SilenceWatch(url.href, SHORT)
    pool.on('connect', (client) => {
      asked++
      client.on('error', () => undefined)
      silence.add(client)
    })
    pool.on('error', () => undefined)
  })

  afterEach(async () => {
    relay.speak()
    await pool.end()
    await relay.stop()
  })

  const failureOf = async (asking: Promise<unknown>): Promise<unknown> => {
    const [result] = await Promise.allSettled([asking])
    return result?.status === 'rejected' ? result.reason : undefined
  }
  const lost = async (asking: Promise<unknown>): Promise<void> => {
    const error = await failureOf(asking)
    expect(reasonOf(error)).toBe('Connection terminated: nothing came from the server for too long')
    expect(isAway(error)).toBe(true)
  }

  it('is given up where the server falls silent under a statement, and others are made when it speaks again', async () => {
    const asking = pool.query('select pg_sleep(1)')
    await expect.poll(() => asked).toBe(1)
    relay.fallSilent()
    await lost(asking)
    relay.speak()
    expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  it('is given up with all that was asked on it, and one that had been idle, too', async () => {
    const client = await pool.connect()
    await client.query('begin')
    relay.fallSilent()
    await Promise.all([lost(client.query('select 1')), lost(client.query('commit'))])
    client.release()
  })

  it('is given up where the server still answers others, and says that it waits for us', async () => {
    await pool.query('select 1')
    relay.forget()
    await lost(pool.query('select 2'))
    expect((await pool.query('select 3 as n')).rows).toEqual([{ n: 3 }])
  })

  it('is kept for as long as the server is at a statement', async () => {
    expect((await pool.query(LONG)).rows).toHaveLength(1)
    expect(asked).toBe(1)
  })

  it('is kept while nothing is asked on it, however long', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await new Promise((resolve) => setTimeout(resolve, 3 * SHORT.quietMs + SHORT.answerMs))
    await client.query('commit')
    client.release()
  })
})
