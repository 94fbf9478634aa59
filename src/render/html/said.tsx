import { formatTimestamp } from '../../domain/timestamp.ts'
import type { PostView, ReviewView } from '../../views/host-view.ts'
import { postMarks, reviewMarks } from '../review-words.ts'

/** Strangers' words: text nodes only, no markup and no links made of them. */
export const Review = ({ review }: { readonly review: ReviewView }) => (
  <li class="said">
    <p>{review.wallet === null ? reviewMarks(review) : `${reviewMarks(review)} · wallet ${review.wallet}`}</p>
    {review.levelReason !== null && <p>{review.levelReason}</p>}
    <blockquote>{review.text}</blockquote>
  </li>
)

export const Post = ({ post }: { readonly post: PostView }) => (
  <li class="said">
    <p>{`${postMarks(post)} · wallet ${post.wallet}`}</p>
    {post.hidden === null ? (
      <blockquote>{post.text}</blockquote>
    ) : (
      <p>{`Hidden ${formatTimestamp(post.hidden.atUs)}: ${post.hidden.reason}`}</p>
    )}
  </li>
)
