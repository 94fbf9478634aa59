import { z } from 'zod'
import { decision } from '../../wire/api/decision.ts'
import { event, events } from '../../wire/api/events.ts'
import {
  challenge,
  hostPaidCalls,
  listing,
  offer,
  paidCalls,
  probe,
  routeProbe,
  signedOffer,
} from '../../wire/api/evidence.ts'
import { hostView } from '../../wire/api/host.ts'
import { judgement, judgementRequest } from '../../wire/api/judgement.ts'
import { listingHistory } from '../../wire/api/listing-history.ts'
import { hostRow, hosts, probes, reviews, routes, thread } from '../../wire/api/lists.ts'
import { evidenceLog } from '../../wire/api/log.ts'
import { hostNow, now, past, priceCheck } from '../../wire/api/now.ts'
import { policy } from '../../wire/api/policy.ts'
import { pendingPost, post, postedBefore, postPage, postRequest } from '../../wire/api/post.ts'
import { problem, problemKind, problemKinds } from '../../wire/api/problem.ts'
import { day, latency, results, window } from '../../wire/api/results.ts'
import { paymentFound, review, reviewPage, reviewRequest, signingMessage } from '../../wire/api/review.ts'
import { route, routePage } from '../../wire/api/route.ts'
import {
  claim,
  claimMessageDocument,
  claimRequest,
  retired,
  seller,
  statement,
  statementPage,
  statementRequest,
  statements,
} from '../../wire/api/seller.ts'
import { alive, badge, ready } from '../../wire/api/site.ts'
import { source, sourcePage, sources, sweep } from '../../wire/api/sources.ts'
import { price, time } from '../../wire/api/values.ts'
import { why } from '../../wire/api/why.ts'
import type { JsonSchema } from '../../wire/openapi.ts'

/** Every schema that has a name in the document. */
export const COMPONENTS = {
  Alive: alive,
  Badge: badge,
  Challenge: challenge,
  Claim: claim,
  ClaimMessage: claimMessageDocument,
  ClaimRequest: claimRequest,
  Day: day,
  Decision: decision,
  Event: event,
  Events: events,
  EvidenceLog: evidenceLog,
  HostNow: hostNow,
  HostPaidCalls: hostPaidCalls,
  HostRow: hostRow,
  HostView: hostView,
  Hosts: hosts,
  Judgement: judgement,
  JudgementRequest: judgementRequest,
  Latency: latency,
  Listing: listing,
  ListingHistory: listingHistory,
  Now: now,
  Offer: offer,
  PaidCalls: paidCalls,
  Past: past,
  PaymentFound: paymentFound,
  PendingPost: pendingPost,
  PostedBefore: postedBefore,
  Policy: policy,
  Post: post,
  PostPage: postPage,
  PostRequest: postRequest,
  Price: price,
  PriceCheck: priceCheck,
  Probe: probe,
  Probes: probes,
  Problem: problem,
  ProblemKind: problemKind,
  ProblemKinds: problemKinds,
  Ready: ready,
  Results: results,
  Retired: retired,
  Review: review,
  ReviewPage: reviewPage,
  ReviewRequest: reviewRequest,
  Reviews: reviews,
  Route: route,
  RoutePage: routePage,
  RouteProbe: routeProbe,
  Routes: routes,
  Seller: seller,
  SignedOffer: signedOffer,
  SigningMessage: signingMessage,
  Source: source,
  SourcePage: sourcePage,
  Sources: sources,
  Statement: statement,
  StatementPage: statementPage,
  StatementRequest: statementRequest,
  Statements: statements,
  Sweep: sweep,
  Thread: thread,
  Time: time,
  Why: why,
  Window: window,
} as const satisfies Readonly<Record<string, z.ZodType>>

export type ComponentName = keyof typeof COMPONENTS

const PLACE = '#/components/schemas/'

export const componentRef = (name: ComponentName): JsonSchema => ({ $ref: `${PLACE}${name}` })

/** What a schema takes: objects of answers may gain members, bodies of requests may not have unknown ones. */
const IO = { io: 'input' } as const

const plain = ({ $schema: _schema, $id: _id, ...schema }: Readonly<Record<string, unknown>>): JsonSchema => schema

export const schemaOf = (schema: z.ZodType): JsonSchema => plain(z.toJSONSchema(schema, IO))

/** All of them as JSON Schema, referring to each other by name. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { ...IO, uri: (id) => `${PLACE}${id}` })
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain({ ...schema })]))
}
