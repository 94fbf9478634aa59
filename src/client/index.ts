// `tollbook/client`: read a directory, sign, review, pay and post. Runs in browsers and in Node. Payers are in
// `tollbook/client/x402` and `tollbook/client/mpp`, so that nobody carries the libraries of a rail that they do not use.

export type { DecisionDocument } from '../wire/api/decision.ts'
export type { EventsDocument } from '../wire/api/events.ts'
export type { HostDocument } from '../wire/api/host.ts'
export type { JudgementDocument, JudgementRequest } from '../wire/api/judgement.ts'
export type { ListingHistoryDocument } from '../wire/api/listing-history.ts'
export type {
  HostsDocument,
  ProbesDocument,
  ReviewsDocument,
  RoutesDocument,
  ThreadDocument,
} from '../wire/api/lists.ts'
export type { PolicyDocument } from '../wire/api/policy.ts'
export type { PostDocument, PostPageDocument, PostRequest } from '../wire/api/post.ts'
export type { ProblemDocument } from '../wire/api/problem.ts'
export type { ReviewDocument, ReviewPageDocument, ReviewRequest } from '../wire/api/review.ts'
export type { RouteDocument, RoutePageDocument } from '../wire/api/route.ts'
export type {
  ClaimDocument,
  ClaimRequest,
  StatementDocument,
  StatementPageDocument,
  StatementRequest,
  StatementsDocument,
} from '../wire/api/seller.ts'
export type { SourcesDocument } from '../wire/api/sources.ts'
export { type Client, createClient, type HostsQuery, nextQuery, type PageQuery, type RouteQuery } from './client.ts'
export type { ClientOptions } from './connection.ts'
export type { LogEntry } from './log.ts'
export { AboveLimitError, type Payer, type Price, type Quote, UnpaidError } from './payer.ts'
export { NoAnswerError, RefusedError, UnreadableError } from './problem.ts'
export { type StatementToSign, signClaim, signStatement, submitClaim, submitStatement } from './sellers.ts'
export { type PostToSign, type ReviewToSign, type Signer, signPost, signReview } from './sign.ts'
export {
  type PostName,
  type PostOptions,
  post,
  type QuotedPost,
  quotePost,
  SentBeforeError,
  submitReview,
  UndecidedError,
} from './write.ts'
