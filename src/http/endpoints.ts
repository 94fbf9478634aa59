import type { Endpoint } from './endpoint.ts'
import { badgeEndpoint, badgeJsonEndpoint, hostPictureEndpoint } from './routes/following/badge.ts'
import { listEventsEndpoint } from './routes/following/events.ts'
import { feedEndpoint, hostFeedEndpoint } from './routes/following/feeds.ts'
import { decideEndpoint } from './routes/hosts/decide.ts'
import { getHostEndpoint, hostPageEndpoint } from './routes/hosts/host.ts'
import { homeEndpoint, listHostsEndpoint } from './routes/hosts/hosts.ts'
import { judgeEndpoint } from './routes/hosts/judge.ts'
import { listProbesEndpoint, listReviewsEndpoint, listRoutesEndpoint } from './routes/hosts/list-json.ts'
import {
  probesPageEndpoint,
  reviewsPageEndpoint,
  routesPageEndpoint,
  statementsPageEndpoint,
  threadPageEndpoint,
} from './routes/hosts/list-pages.ts'
import { listingHistoryEndpoint, listingHistoryPageEndpoint } from './routes/hosts/listing-history.ts'
import { getRouteEndpoint } from './routes/hosts/route.ts'
import { whyEndpoint, whyPageEndpoint } from './routes/hosts/why.ts'
import {
  logCheckpointEndpoint,
  logProofEndpoint,
  logTileEndpoint,
  logVerifierEndpoint,
  logVkeyEndpoint,
} from './routes/log/files.ts'
import { logPageEndpoint } from './routes/log/page.ts'
import { claimMessageEndpoint, submitClaimEndpoint } from './routes/sellers/claims.ts'
import {
  getStatementEndpoint,
  listStatementsEndpoint,
  statementMessageEndpoint,
  submitStatementEndpoint,
} from './routes/sellers/statements.ts'
import { docsEndpoint, llmsEndpoint, openapiEndpoint } from './routes/site/agents.ts'
import { robotsEndpoint, securityEndpoint, sitemapEndpoint, sitemapPartEndpoint } from './routes/site/crawlers.ts'
import { aliveEndpoint, readyEndpoint } from './routes/site/health.ts'
import { iconEndpoint } from './routes/site/icon.ts'
import { mcpEndpoint } from './routes/site/mcp.ts'
import { getPolicyEndpoint, policyPageEndpoint } from './routes/site/policy.ts'
import { probingEndpoint } from './routes/site/probing.ts'
import { getProblemEndpoint, listProblemsEndpoint } from './routes/site/problems.ts'
import { sellersEndpoint } from './routes/site/sellers.ts'
import { getSourceEndpoint, listSourcesEndpoint, sourcesPageEndpoint } from './routes/site/sources.ts'
import { PAID_POST_ENDPOINTS } from './routes/writing/paid-post.ts'
import { getPostEndpoint } from './routes/writing/posts.ts'
import { reviewMessageEndpoint } from './routes/writing/review-message.ts'
import { getReviewEndpoint, submitReviewEndpoint } from './routes/writing/reviews.ts'
import { getThreadEndpoint } from './routes/writing/thread.ts'
import { POST_MESSAGE_ENDPOINTS } from './routes/writing/thread-message.ts'

/**
 * Everything that the directory answers, in the order of its OpenAPI document. The router takes the first that fits, so
 * a fixed segment stands before a parameter in its place.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  homeEndpoint,
  listHostsEndpoint,
  decideEndpoint,
  judgeEndpoint,
  hostPageEndpoint,
  getHostEndpoint,
  getRouteEndpoint,
  listRoutesEndpoint,
  listProbesEndpoint,
  listReviewsEndpoint,
  routesPageEndpoint,
  probesPageEndpoint,
  reviewsPageEndpoint,
  threadPageEndpoint,
  listingHistoryPageEndpoint,
  listingHistoryEndpoint,
  whyPageEndpoint,
  whyEndpoint,

  submitReviewEndpoint,
  reviewMessageEndpoint,
  getReviewEndpoint,
  getThreadEndpoint,
  ...PAID_POST_ENDPOINTS,
  ...POST_MESSAGE_ENDPOINTS,
  getPostEndpoint,

  submitClaimEndpoint,
  claimMessageEndpoint,
  submitStatementEndpoint,
  statementMessageEndpoint,
  listStatementsEndpoint,
  statementsPageEndpoint,
  getStatementEndpoint,

  listEventsEndpoint,
  feedEndpoint,
  hostFeedEndpoint,
  badgeEndpoint,
  badgeJsonEndpoint,
  hostPictureEndpoint,

  logPageEndpoint,
  logCheckpointEndpoint,
  logTileEndpoint,
  logVkeyEndpoint,
  logProofEndpoint,
  logVerifierEndpoint,

  sellersEndpoint,
  policyPageEndpoint,
  getPolicyEndpoint,
  sourcesPageEndpoint,
  listSourcesEndpoint,
  getSourceEndpoint,
  probingEndpoint,
  listProblemsEndpoint,
  getProblemEndpoint,
  robotsEndpoint,
  sitemapEndpoint,
  sitemapPartEndpoint,
  securityEndpoint,
  iconEndpoint,

  openapiEndpoint,
  docsEndpoint,
  llmsEndpoint,
  mcpEndpoint,

  aliveEndpoint,
  readyEndpoint,
]
