import { parseArgs } from 'node:util'
import { createConnection } from '../client/connection.ts'
import { type ReviewToSign, signReview } from '../client/sign.ts'
import { type SubmittedReview, sendReview } from '../client/write.ts'
import { LONGEST_OUTCOME_MS } from '../domain/buyers/outcome.ts'
import { METHODS, RAILS } from '../domain/route.ts'
import { textFault } from '../domain/words/text.ts'
import type { ReviewRequest } from '../wire/api/review.ts'
import { directoryOf, reviewAddress } from '../wire/bodies/review-body.ts'
import type { ReviewLines } from '../wire/signed-lines.ts'
import { REVIEW } from './catalogue/write.ts'
import { clientProblem, unanswered } from './client-problem.ts'
import {
  type Command,
  type CommandContext,
  type DirectoryDeps,
  directoryAt,
  expected,
  isWebAddress,
  misuse,
  usageProblem,
} from './command.ts'
import { plainLine } from './terminal/plain.ts'
import { showingSigner } from './terminal/showing-signer.ts'

interface Order {
  readonly review: ReviewToSign
  readonly keyFile: string | undefined
  /** The directory, without a trailing slash. */
  readonly to: string
}

/** `tollbook review <url>`: shows the lines, signs them with the key of a file, submits, and says what came of it. */
export const reviewCommand = (deps: DirectoryDeps): Command => ({
  run: async (argv: string[], context: CommandContext): Promise<number> => {
    const { keyFile, review, to } = orderIn(argv, deps.baseUrl)
    const body =
      keyFile === undefined
        ? review
        : await signReview(await showingSigner(keyFile, context), { ...review, nowMs: deps.nowMs() })
    const connection = createConnection({ baseUrl: to, fetch: deps.fetch })
    const submitted = await sendReview(connection, body).catch((error: unknown) => {
      throw clientProblem(error, unanswered(to))
    })
    context.out.write(outcome(submitted))
    return 0
  },
})

function orderIn(argv: string[], baseUrl: string): Order {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: REVIEW.options })
  const [url] = positionals
  const method = METHODS.find((known) => known === values.method.toUpperCase())
  const rail = RAILS.find((known) => known === values.rail)
  const rating = /^[1-5]$/.test(values.rating ?? '') ? Number(values.rating) : undefined
  const { text } = values
  if (url === undefined || !isWebAddress(url))
    throw expected(REVIEW, '<url>', 'the http or https address that was called')
  if (positionals.length > 1) throw usageProblem(REVIEW, 'one address is reviewed at a time')
  if (method === undefined) throw expected(REVIEW, '--method', `one of ${METHODS.join(', ')}`)
  if (rail === undefined) throw expected(REVIEW, '--rail', `one of ${RAILS.join(', ')}`)
  if (rating === undefined) throw expected(REVIEW, '--rating', '1 to 5')
  if (text === undefined) throw expected(REVIEW, '--text', 'what you found')
  const to = directoryAt(values.to ?? baseUrl, REVIEW)
  const fault = textFault(text)
  if (fault !== undefined) throw misuse(fault)
  // Whether a special name is taken is the other directory's to say.
  reviewAddress(url, [URL.canParse(url) ? new URL(url).hostname : ''])
  const payment = values.payment === undefined ? null : paymentIn(values.payment)
  const keyFile = values['key-file']
  if (payment !== null && keyFile === undefined) {
    throw misuse('a payment needs the signature of its wallet', 'add --key-file')
  }
  const directory = keyFile === undefined ? {} : { directory: values.directory ?? directoryOf(to) }
  const outcome = outcomeIn(values)
  return {
    review: { url, method, rail, rating, text, ...(payment && { payment }), ...(outcome && { outcome }), ...directory },
    keyFile,
    to,
  }
}

/** Network and transaction stand around the last colon: CAIP-2 names have one of their own. */
function paymentIn(text: string): NonNullable<ReviewLines['payment']> {
  const [, network = '', transaction = ''] = /^(.+):([A-Za-z0-9]+)$/.exec(text) ?? []
  if (network !== '' && transaction !== '') return { network, transaction }
  throw misuse('--payment is <network>:<transaction>', 'for example eip155:8453:0x…')
}

type Told = Readonly<Partial<Record<'status' | 'latency' | 'bytes' | 'content-sha256', string | undefined>>>

function outcomeIn({ status, latency, bytes, 'content-sha256': digest }: Told): ReviewRequest['outcome'] {
  if (status === undefined && latency === undefined && bytes === undefined && digest === undefined) return undefined
  const isRead =
    /^(?:[1-9]\d\d|none)$/.test(status ?? '') &&
    /^\d{1,8}$/.test(latency ?? '') &&
    Number(latency) <= LONGEST_OUTCOME_MS &&
    /^\d{1,15}$/.test(bytes ?? '0') &&
    /^(?:[0-9a-f]{64})?$/.test(digest ?? '')
  if (!isRead) {
    const detail = '--status is an HTTP status or none and goes with --latency in milliseconds'
    throw misuse(detail, 'for example --status 500 --latency 812')
  }
  return {
    http_status: status === 'none' ? null : Number(status),
    latency_ms: Number(latency),
    ...(bytes !== undefined && { bytes: Number(bytes) }),
    ...(digest !== undefined && { content_sha256: digest }),
  }
}

function outcome({ review, isNew }: SubmittedReview): string {
  const counted = review.counts_as_agent_review ? 'counts as an agent review' : 'does not count as an agent review'
  const why = review.excluded === null ? '' : ` (${review.excluded})`
  return [
    `${isNew ? 'Submitted' : 'Submitted before'}: ${review.href}`,
    `Level: ${review.level}${review.level_reason === null ? '' : ` (${review.level_reason})`}`,
    `It ${counted}${why}.`,
    '',
  ]
    .map(plainLine)
    .join('\n')
}
