import { sql } from 'kysely'
import { isDamaged, reasonOf } from '../../domain/store-trouble.ts'
import type { Store } from '../store.ts'

/** What is wrong with the pages of SQLite's file, all of which are read; `undefined`: nothing is, or a server keeps them. */
export async function damageIn(store: Store): Promise<string | undefined> {
  if (store.file === null) return undefined
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(store.read)
    const said = rows[0]?.quick_check ?? 'no answer'
    return said === 'ok' ? undefined : said.replaceAll(/\s+/g, ' ')
  } catch (error) {
    if (isDamaged(error)) return reasonOf(error)
    throw error
  }
}
