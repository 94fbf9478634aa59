import { parseArgs } from 'node:util'
import { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import { METHODS, RAILS } from '../domain/route.ts'
import { textFault } from '../domain/text.ts'
import { reviewsHref } from '../render/site.ts'
import { reviewAddress } from '../wire/review-body.ts'
import { formatSignedAt } from '../wire/signed-at.ts'
import { type ReviewLines, reviewMessage } from '../wire/signed-lines.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'
import { accountIn } from './key-file.ts'
import { refusal, send, type TalkDoors } from './post-talk.ts'

export interface ReviewDoors extends TalkDoors {
  /** Where reviews go unless `--to` says otherwise. */
  baseUrl(): string
}

const usage =
  'tollbook review <url> --rating 1..5 --text "…" [--key-file <file>] [--method GET] [--rail x402|mpp] [--payment <network>:<transaction>] [--to <base url>]   sign and submit a review'

const OPTIONS = {
  method: { type: 'string', default: 'GET' },
  rail: { type: 'string', default: 'x402' },
  rating: { type: 'string' },
  text: { type: 'string' },
  payment: { type: 'string' },
  'key-file': { type: 'string' },
  to: { type: 'string' },
} as const

type Order = Omit<ReviewLines, 'signedAt'> & { readonly keyFile: string | undefined; readonly endpoint: string }

/** `tollbook review <url>`: shows the lines, signs them with the key of a file, submits, and says what came of it. */
export const reviewCommand = (doors: ReviewDoors): Command => ({
  usage,
  run: async (argv: string[], { out, err }: CommandContext): Promise<number> => {
    const { keyFile, endpoint, ...order } = orderIn(argv, doors.baseUrl())
    const body = keyFile === undefined ? unsigned(order) : await signed(order, keyFile, doors, { out, err })
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const reply = await reached(endpoint, send(doors, { url: endpoint, headers, body: JSON.stringify(body) }))
    if (reply.status !== 200 && reply.status !== 201) throw refusal(reply)
    out.write(outcome(reply.text, reply.status === 201))
    return 0
  },
})

function orderIn(argv: string[], baseUrl: string): Order {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS })
  const [url] = positionals
  const method = METHODS.find((known) => known === values.method.toUpperCase())
  const rail = RAILS.find((known) => known === values.rail)
  const rating = /^[1-5]$/.test(values.rating ?? '') ? Number(values.rating) : undefined
  const { text } = values
  const to = (values.to ?? baseUrl).replace(/\/+$/, '')
  if (url === undefined || positionals.length > 1 || method === undefined || rail === undefined)
    throw usageProblem(usage)
  if (rating === undefined || text === undefined || !/^https?:\/\//.test(to)) throw usageProblem(usage)
  const fault = textFault(text)
  if (fault !== undefined) throw new Problem('usage', 400, 'Usage', fault, '')
  // Whether a special name is taken is the other directory's to say.
  reviewAddress(url, [URL.canParse(url) ? new URL(url).hostname : ''])
  const payment = values.payment === undefined ? null : paymentIn(values.payment)
  const keyFile = values['key-file']
  if (payment !== null && keyFile === undefined) {
    throw new Problem('usage', 400, 'Usage', 'a payment needs the signature of its wallet', 'add --key-file')
  }
  return { url, method, rail, rating, text, payment, keyFile, endpoint: `${to}${reviewsHref}` }
}

/** Network and transaction stand around the last colon: CAIP-2 names have one of their own. */
function paymentIn(text: string): NonNullable<ReviewLines['payment']> {
  const [, network = '', transaction = ''] = /^(.+):([A-Za-z0-9]+)$/.exec(text) ?? []
  if (network !== '' && transaction !== '') return { network, transaction }
  throw new Problem('usage', 400, 'Usage', '--payment is <network>:<transaction>', 'for example eip155:8453:0x…')
}

type Fields = Omit<ReviewLines, 'signedAt'>

const unsigned = ({ url, method, rail, rating, text }: Fields) => ({ url, method, rail, rating, text })

async function signed(
  order: Fields,
  keyFile: string,
  doors: ReviewDoors,
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
) {
  const account = await accountIn(keyFile, (warning) => err.write(`warning: ${warning}\n`))
  const signedAt = formatSignedAt(doors.nowMs() * 1000)
  const message = reviewMessage({ ...order, signedAt })
  out.write(`${account.address} signs:\n\n${message.replaceAll(/^/gm, '  ')}\n\n`)
  return {
    ...unsigned(order),
    ...(order.payment === null ? {} : { payment: order.payment }),
    wallet: account.address,
    signature: await account.signMessage({ message }),
    signed_at: signedAt,
  }
}

async function reached<T>(endpoint: string, reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch {
    throw new Problem('no-answer', 503, 'No answer', `${new URL(endpoint).origin} does not answer`, '')
  }
}

const REVIEW = z.object({
  id: z.string(),
  level: z.string(),
  level_reason: z.string().nullable(),
  counts_as_agent_review: z.boolean(),
  excluded: z.string().nullable(),
  href: z.string(),
})

function outcome(text: string, isNew: boolean): string {
  const review = REVIEW.parse(JSON.parse(text))
  const counted = review.counts_as_agent_review ? 'counts as an agent review' : 'does not count as an agent review'
  const why = review.excluded === null ? '' : ` (${review.excluded})`
  return [
    `${isNew ? 'Submitted' : 'Submitted before'}: ${review.href}`,
    `Level: ${review.level}${review.level_reason === null ? '' : ` (${review.level_reason})`}`,
    `It ${counted}${why}.`,
    '',
  ].join('\n')
}
