import { sql } from 'kysely'
import type { Row } from '../../sql/dialect.ts'
import type { Store } from '../../store.ts'

/** Names in the order of their numbers. */
export const nameOf = (n: number): string => `h${String(n).padStart(5, '0')}.example`

/** So many hosts that nothing is known of but their names: one after the other would take long. */
export async function fillHosts(store: Store, hosts: number): Promise<void> {
  const rows = Array.from({ length: hosts }, (_, n): Row => [n, nameOf(n)])
  await store.write(async (writer) => {
    const { dialect } = store
    await sql`insert into hosts (host_id, name)
      select host_id, name from ${dialect.rows({ host_id: 'int', name: 'text' }, rows)} as v`.execute(writer)
    await sql`insert into host_counters (host_id, version, routes, answers, correct_402, failed, unreachable,
        reviews_verified, reviews_signed, reviews_unsigned, reviews_excluded, reviews, posts)
      select host_id, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from hosts`.execute(writer)
  })
}
