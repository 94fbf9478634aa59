import type { SellerHost } from '../domain/host.ts'
import type { PostRow } from './read-writing.ts'
import type { Reader } from './schema.ts'

/** Where a post is. */
export interface PlacedPostRow extends PostRow {
  readonly host_id: number
  readonly host: SellerHost
}

/** The post with this id, whose host the id does not name; of several (only an import can bring that) always the same. */
export const readPost = (reader: Reader, id: string): Promise<PlacedPostRow | undefined> =>
  reader
    .selectFrom('posts')
    .innerJoin('hosts', 'hosts.host_id', 'posts.host_id')
    .selectAll('posts')
    .select('hosts.name as host')
    .select((post) =>
      post
        .selectFrom('payments')
        .select('payments.log_index')
        .whereRef('payments.post_id', '=', 'posts.post_id')
        .whereRef('payments.host_id', '=', 'posts.host_id')
        .limit(1)
        .as('log_index'),
    )
    .where('posts.post_id', '=', id)
    .orderBy('posts.host_id')
    .limit(1)
    .executeTakeFirst()
