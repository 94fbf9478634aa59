import type { Reader } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'

/** What the store knows of a key: `undefined` nothing; `size` null: that it signs the log of this store. */
export const readKey = (
  reader: Reader,
  vkey: string,
): Promise<{ readonly vkey: string; readonly size: number | null } | undefined> =>
  reader.selectFrom('log_keys').select(['vkey', 'size']).where('vkey', '=', vkey).executeTakeFirst()

/** That a key signs the log of this store: a backup without the log names it. */
export async function sayKey(store: Store, vkey: string): Promise<void> {
  if ((await readKey(store.read, vkey)) !== undefined) return
  await store.write((writer) =>
    writer
      .insertInto('log_keys')
      .values({ vkey, size: null, root: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
