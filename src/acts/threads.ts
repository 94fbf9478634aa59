import type { Rail } from '../domain/route.ts'
import type { PaidRequest, PaymentRail, UnsetRail } from '../payment/rail.ts'
import type { FoundPost } from '../store/posts.ts'

/** A request to post, read but not judged. */
export interface PostRequest extends PaidRequest {
  readonly rail: Rail
  /** The JSON of the body. Called only when there is a credential; rejects with a `Problem` when it cannot be read. */
  body(): Promise<unknown>
}

export type PostAnswer =
  /** Paid and visible. The same request again answers the same post, with `isNew` false. */
  | {
      readonly kind: 'published'
      readonly isNew: boolean
      readonly post: FoundPost
      /** The receipt. */
      readonly headers: Readonly<Record<string, string>>
    }
  /** Asked to be paid, and nobody can say yet whether it was: the same request again tells. */
  | { readonly kind: 'pending'; readonly postId: string; readonly retryAfterSeconds: number }

/** The writing side of discussion threads. */
export interface Threads {
  readonly rails: Readonly<Record<Rail, PaymentRail | UnsetRail>>
  /** Rejects with a `Problem` that says by `charged` whether money moved. */
  post(request: PostRequest): Promise<PostAnswer>
}
