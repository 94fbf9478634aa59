import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Store } from '../store.ts'
import { askAhead, runLater } from './later.ts'

const hosts = async (store: Store): Promise<number[]> =>
  (await store.read.selectFrom('hosts').select('host_id').orderBy('host_id').execute()).map(({ host_id }) => host_id)

const insert = (id: number) => sql`insert into hosts (host_id, name) values (${id}, ${`${id}.example`})`

onEachEngine('a statement that nobody waits for', (engine) => {
  it('runs after those before it and before those after it', async () => {
    const store = await engine.open()
    const seen = await store.write(async (writer) => {
      await runLater(writer, insert(1))
      await runLater(writer, sql`update hosts set name = 'other.example' where host_id = 1`)
      const found = await sql<{ name: string }>`select name from hosts where host_id = 1`.execute(writer)
      await runLater(writer, insert(2))
      return found.rows
    })
    expect(seen).toEqual([{ name: 'other.example' }])
    expect(await hosts(store)).toEqual([1, 2])
  })

  it('fails the whole transaction with its own reason, at the next one that is waited for or at the commit', async () => {
    const store = await engine.open()
    await store.write((writer) => runLater(writer, insert(1)))
    const twice = /unique|duplicate/i
    await expect(
      store.write(async (writer) => {
        await runLater(writer, insert(2))
        await runLater(writer, insert(1))
        await runLater(writer, insert(3))
        await sql`select 1`.execute(writer)
      }),
    ).rejects.toThrow(twice)
    await expect(
      store.write(async (writer) => {
        await runLater(writer, insert(4))
        await runLater(writer, insert(1))
        await runLater(writer, insert(5))
      }),
    ).rejects.toThrow(twice)
    await store.write((writer) => runLater(writer, insert(6)))
    expect(await hosts(store)).toEqual([1, 6])
  })

  it('is undone where the work after it fails', async () => {
    const store = await engine.open()
    await expect(
      store.write(async (writer) => {
        await runLater(writer, insert(1))
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await hosts(store)).toEqual([])
  })
})

onEachEngine('a statement whose answer is waited for later', (engine) => {
  const names = sql<{ name: string }>`select name from hosts order by host_id`
  const wrong = sql`select wrong from hosts`

  it('answers what was there before those that were sent after it', async () => {
    const store = await engine.open()
    const seen = await store.write(async (writer) => {
      await runLater(writer, insert(1))
      const answer = await askAhead(writer, names.compile(writer))
      await runLater(writer, insert(2))
      return answer()
    })
    expect(seen).toEqual([{ name: '1.example' }])
    expect(await hosts(store)).toEqual([1, 2])
  })

  it('answers outside of transactions, too', async () => {
    const store = await engine.open()
    await store.write((writer) => runLater(writer, insert(1)))
    const answer = await askAhead(store.read, names.compile(store.read))
    expect(await answer()).toEqual([{ name: '1.example' }])
  })

  it.each(['asked for', 'never asked for'])('fails the whole transaction with its reason, %s', async (how) => {
    const store = await engine.open()
    const writing = store.write(async (writer) => {
      await runLater(writer, insert(1))
      const answer = await askAhead(writer, wrong.compile(writer))
      await runLater(writer, insert(2))
      if (how === 'asked for') await answer()
    })
    await expect(writing).rejects.toThrow(/wrong/)
    expect(await hosts(store)).toEqual([])
    await store.write((writer) => runLater(writer, insert(3)))
    expect(await hosts(store)).toEqual([3])
  })
})
