import type { SellerHost } from '../domain/host.ts'
import type { PlacedPostRow } from '../store/posts/read-post.ts'
import { digestMessage, textDigest } from '../wire/signed-lines.ts'
import type { PostView } from './host/host-view.ts'
import { postViewOf } from './host/rows.ts'

/** One post with everything that is needed to verify it without asking anybody. */
export interface PostPage {
  readonly host: SellerHost
  readonly post: PostView
  /** Of the text as it was signed, also when the post is hidden: the signature stays checkable. */
  readonly textSha256: string
  /** The four lines that the wallet signed. */
  readonly message: string
}

export function postPageOf(row: PlacedPostRow): PostPage {
  const textSha256 = textDigest(row.text)
  const message = digestMessage(row.host, textSha256, row.signed_at)
  return { host: row.host, post: postViewOf(row), textSha256, message }
}
