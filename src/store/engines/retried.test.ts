import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openStore } from '../open.ts'
import { retried } from './retried.ts'

const failing = (code: string) => Object.assign(new Error('given up'), { code })

describe.skipIf(inject('databaseUrl') === null)('a transaction on Postgres', () => {
  it('runs again when it waited for another in a circle, and both are written', async () => {
    const store = await openStore({
      dataDir: '',
      databaseUrl: await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres),
    })
    await sql`insert into vantages values (1, 'a'), (2, 'b')`.execute(store.read)
    const runs: string[] = []
    let arrive = (): void => undefined
    const bothHold = new Promise<void>((resolve) => {
      let holding = 0
      arrive = () => {
        holding += 1
        if (holding === 2) resolve()
      }
    })
    let finish = (): void => undefined
    const oneIsWritten = new Promise<void>((resolve) => {
      finish = resolve
    })
    const rename = async (name: string, [first, second]: readonly [number, number]): Promise<void> => {
      await store.write(async (writer) => {
        runs.push(name)
        // On a busy machine it would be back before the other has been woken, and both would meet in a circle again.
        if (runs.length > 2) await oneIsWritten
        const add = (id: number) => sql`update vantages set name = name || ${name} where vantage_id = ${id}`
        await add(first).execute(writer)
        arrive()
        await bothHold
        await add(second).execute(writer)
      })
      finish()
    }
    await Promise.all([rename('x', [1, 2]), rename('y', [2, 1])])
    const found = await store.read.selectFrom('vantages').select('name').orderBy('vantage_id').execute()
    await store.close()
    expect(runs).toHaveLength(3)
    const [a = '', b = ''] = found.map(({ name }) => name)
    expect([a, b].map((name) => [...name].sort().join(''))).toEqual(['axy', 'bxy'])
  })
})

describe('retried', () => {
  it.each(['40P01', '40001'])('begins again after %s', async (code) => {
    let tries = 0
    const done = await retried(async () => {
      tries += 1
      if (tries < 3) throw failing(code)
      return 'done'
    })
    expect([done, tries]).toEqual(['done', 3])
  })

  it('leaves every other failure as it is, and gives up in the end', async () => {
    let tries = 0
    const attempt = (code: string) =>
      retried(async () => {
        tries += 1
        throw failing(code)
      })
    await expect(attempt('23505')).rejects.toThrow('given up')
    expect(tries).toBe(1)
    await expect(attempt('40001')).rejects.toThrow('given up')
    expect(tries).toBe(11)
  })
})
