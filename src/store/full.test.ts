import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../test/support/directory.ts'
import { onBothEngines, type PlainEngine } from '../../test/support/engines.ts'
import { isFull } from '../domain/store-trouble.ts'
import { ask, startSample } from '../http/testing/samples.ts'
import { noticingFull } from './full.ts'
import type { Writer } from './schema.ts'
import type { Store } from './store.ts'

/** Makes the engine say that no room is left, in its own words. */
const fill: Readonly<Record<PlainEngine['name'], (writer: Writer) => Promise<unknown>>> = {
  sqlite: async (writer) => {
    await sql`pragma max_page_count = 1`.execute(writer)
    await sql`create table filler (text text)`.execute(writer)
    await sql`insert into filler values (${'x'.repeat(100_000)})`.execute(writer)
  },
  postgres: (writer) =>
    sql`do $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
      writer,
    ),
}
const makeRoom: Readonly<Record<PlainEngine['name'], (writer: Writer) => Promise<unknown>>> = {
  sqlite: (writer) => sql`pragma max_page_count = 1000000`.execute(writer),
  postgres: async () => undefined,
}

onBothEngines('a full disk', (engine) => {
  it('is the reason that a write gives, and the next write succeeds when there is room', async () => {
    const store = await engine.open()
    const failure = await store.write(fill[engine.name]).catch((error: unknown) => error)
    expect([isFull(failure), String(failure)]).toEqual([true, expect.stringMatching(/full|No space left/)])
    await store.write(makeRoom[engine.name])
    await store.write((writer) => sql`create table filler (text text)`.execute(writer))
    await store.ping()
    await store.findRoom()
  })

  it('answers writers with 503 and when to come back, and the log says why', async () => {
    const store = await engine.open()
    const submit = () => store.write(fill[engine.name]).then(() => Promise.reject(new Error('there was room')))
    const web = await startSample({ directory: directoryOf(store), reviews: { submit } })
    const body = { url: 'https://api.seller.example/v1', method: 'GET', rail: 'x402', rating: 4, text: 'Fine.' }
    const answer = await fetch(`http://127.0.0.1:${web.port}/v1/reviews`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await answer.json()).toMatchObject({ title: 'No room left' })
    expect(web.lines.find((line) => line.includes('requests failed'))).toMatch(/full|No space left/)
    await web.drain(1000)
  })
})

onBothEngines('a store whose disk was full', (engine) => {
  it('is not ready until a write succeeds, which it tries by itself', async () => {
    const real = await engine.open()
    let hasRoom = false
    const write: Store['write'] = (work) =>
      hasRoom ? real.write(work) : Promise.reject(new Error('database or disk is full'))
    const store = noticingFull({ ...real, write })
    await store.ping()
    await store.findRoom()
    await expect(store.write(async () => 1)).rejects.toThrow('full')
    await expect(store.findRoom()).rejects.toThrow('full')
    const web = await startSample({ directory: directoryOf(store) })
    const reply = await ask(web.port, '/readyz')
    expect([reply.status, JSON.parse(reply.text).detail]).toEqual([503, 'The disk of the store is full.'])
    expect(web.lines.some((line) => line.includes('the disk is full'))).toBe(true)
    hasRoom = true
    expect((await ask(web.port, '/readyz')).status).toBe(200)
    await store.findRoom()
    await web.drain(1000)
  })
})
