import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { formatPrice } from '../domain/money/price.ts'
import { METHODS, RAILS } from '../domain/route.ts'
import { fullAddress, reviewsHref } from '../render/site.ts'
import { payableRails } from '../views/policy-view.ts'
import { reviewRequest } from '../wire/api/review.ts'
import { rating } from '../wire/api/values.ts'
import { parsePostBody } from '../wire/bodies/post-body.ts'
import { directoryOf, parseReviewBody } from '../wire/bodies/review-body.ts'
import { fillPath, PAID_THREAD_PATHS } from '../wire/paths.ts'
import { formatSignedAt } from '../wire/signed-at.ts'
import { postMessage, reviewMessage } from '../wire/signed-lines.ts'
import { answered, READS } from './answer.ts'
import { hostInput, hostNamed, unknownHost, unknownRoute } from './inputs.ts'
import { argumentsOf } from './outline.ts'
import { registerClaim } from './prepare-claim.ts'
import { registerStatement } from './prepare-statement.ts'
import { findingOf, HEADERS, output, SIGN_STEP, SIGNATURE, signingOf, text } from './preparing.ts'
import type { ToolDeps } from './tool-deps.ts'

/** Tools that say exactly what to sign and how to send it. They hold no key, send nothing and spend nothing. */
export function registerPrepareTools(server: McpServer, deps: ToolDeps): void {
  registerReview(server, deps)
  registerPost(server, deps)
  registerClaim(server, deps)
  registerStatement(server, deps)
}

function registerReview(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Prepare a review',
    description:
      'Says what to sign and how to send a review of a route. Sends nothing, spends nothing; reviews are free.',
    inputSchema: argumentsOf({
      url: z.string().describe('Full address of the reviewed route'),
      method: z.enum(METHODS),
      rail: z.enum(RAILS),
      rating: rating.describe('1 to 5'),
      text,
      wallet: z.string().optional().describe('The wallet that will sign; without one the review is Unsigned'),
      payment: z
        .strictObject({ network: z.string(), transaction: z.string() })
        .optional()
        .describe(
          'The public payment of that wallet for the route, to be checked as a verified buyer; of a session the id of its channel',
        ),
      outcome: reviewRequest.shape.outcome,
    }),
    outputSchema: output,
    annotations: READS,
  }
  server.registerTool('prepare_review', config, (asked) =>
    answered(deps, async () => {
      const { wallet, payment, ...said } = asked
      const at = formatSignedAt(deps.nowUs())
      const signed =
        wallet === undefined
          ? {}
          : { wallet, signature: SIGNATURE, signed_at: at, directory: directoryOf(deps.site.baseUrl) }
      const body = { ...said, ...signed, ...(payment && { payment }) }
      const read = parseReviewBody(body, deps.allow)
      const named = { ...read.address, method: read.method, rail: read.rail }
      if ((await deps.directory.decision(named.host, named)) === undefined) throw await unknownRoute(deps, named)
      const message = reviewMessage({
        ...read,
        payment: read.signed?.payment ?? null,
        directory: read.signed?.directory,
        signedAt: at,
      })
      return findingOf({
        cost: formatPrice(0),
        sign: read.signed && signingOf(read.signed.wallet, message, at, read.text),
        send: [{ rail: null, method: 'POST', url: fullAddress(deps.site, reviewsHref), headers: HEADERS, body }],
        steps: [
          ...(read.signed ? [SIGN_STEP] : []),
          'Send the request. 201 brings the stored review with the level that the directory found.',
        ],
      })
    }),
  )
}

function registerPost(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Prepare a thread post',
    description:
      "Says what to sign, what it costs and how to send a post to a host's discussion thread. Sends nothing, spends nothing.",
    inputSchema: argumentsOf({
      host: hostInput,
      text,
      wallet: z.string().describe('The wallet that will sign and pay'),
      rail: z.enum(RAILS).optional().describe('Every way to pay here is shown unless given'),
    }),
    outputSchema: output,
    annotations: READS,
  }
  server.registerTool('prepare_post', config, (asked) =>
    answered(deps, async () => {
      const { directory, site } = deps
      const host = hostNamed(asked.host, deps)
      const at = formatSignedAt(deps.nowUs())
      const body = { text: asked.text, wallet: asked.wallet, signature: SIGNATURE, signed_at: at }
      const read = parsePostBody(body)
      if ((await directory.hostVersion(host)) === undefined) throw await unknownHost(deps, host)
      const { postPrice, rails } = deps.policy()
      const chosen = asked.rail === undefined ? payableRails(rails) : [asked.rail]
      const unset = rails.filter((one) => chosen.includes(one.rail) && one.missing.length > 0)
      return findingOf({
        cost: formatPrice(postPrice),
        sign: signingOf(read.wallet, postMessage({ host, text: read.text, signedAt: at }), at, read.text),
        send: chosen.map((rail) => ({
          rail,
          method: 'POST',
          url: fullAddress(site, fillPath(PAID_THREAD_PATHS[rail], { host })),
          headers: HEADERS,
          body,
        })),
        steps: [
          SIGN_STEP,
          `Send the request without a payment: 402 names network, payee and amount (${formatPrice(postPrice)} dollars), and charges nothing.`,
          `Check that price, then pay with an ${chosen.join(' or ')} client of the same wallet and send the same body with its credential.`,
          '201 brings the post. After 202 send the very same request again: it never charges twice.',
          ...unset.map((one) => `Rail ${one.rail} is not set up in this directory and answers 503.`),
        ],
      })
    }),
  )
}
