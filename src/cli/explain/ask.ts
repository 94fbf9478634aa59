import { parseArgs } from 'node:util'
import { createClient } from '../../client/client.ts'
import { NoAnswerError, RefusedError, UnreadableError } from '../../client/problem.ts'
import { DOLLARS } from '../../domain/money/price.ts'
import { networkKey } from '../../domain/network.ts'
import { Problem } from '../../domain/problem.ts'
import { METHODS, RAILS } from '../../domain/route.ts'
import type { DecisionDocument } from '../../wire/api/decision.ts'
import type { JudgementDocument, JudgementRequest } from '../../wire/api/judgement.ts'
import { ASK } from '../catalogue/check.ts'
import { clientProblem, unanswered } from '../client-problem.ts'
import {
  type Command,
  type CommandContext,
  type DirectoryDeps,
  directoryAt,
  expected,
  isWebAddress,
  usageProblem,
} from '../command.ts'
import { plainLine } from '../terminal/plain.ts'

type Offer = JudgementRequest['offer']

const STOPPED = 3

/** `tollbook ask <url>`: what speaks against paying what a seller asks for, and where the evidence is. */
export const askCommand = (deps: Omit<DirectoryDeps, 'nowMs'>): Command => ({
  run: async (argv: string[], { out }: CommandContext): Promise<number> => {
    const { route, offer: named, policy, to } = questionIn(argv, deps.baseUrl)
    const client = createClient({ baseUrl: to, fetch: deps.fetch })
    const answered = <T>(answer: Promise<T>): Promise<T> =>
      answer.catch((error: unknown) => {
        const isOurs = error instanceof RefusedError || error instanceof UnreadableError || error instanceof Problem
        throw clientProblem(isOurs ? error : new NoAnswerError(to, error), unanswered(to))
      })
    const isNamed = named.price !== null || named.asset !== undefined
    const { offer, lines } = isNamed
      ? { offer: named, lines: [] }
      : knownOffer(named, (await answered(client.decide(route).catch(unlisted))).price)
    const judged = await answered(client.judge({ ...route, offer, ...policy }))
    for (const line of [...lines, ...linesOf(judged)]) out.write(`${plainLine(line)}\n`)
    return judged.allow ? 0 : STOPPED
  },
})

/** What no source names has no price that could be judged; one that is named can be. */
function unlisted(error: unknown): never {
  const told = error instanceof RefusedError ? error.problem : undefined
  if (told === undefined || !/\/problems\/unknown-(?:host|route)$/.test(told.type)) throw error
  const hint = 'say with --price what it asks for: what no source names is judged, too'
  throw new Problem('refused', told.status, told.title, told.detail.replace(/\.$/, ''), hint)
}

/** What is judged where nobody named a price: what the route asked for last, or else what is listed. */
function knownOffer(offer: Offer, { observed, observed_network, listed, listed_network }: DecisionDocument['price']) {
  const known = [
    { price: observed, network: observed_network ?? null, how: 'as it asked for last' },
    { price: listed, network: listed_network, how: 'as it is listed' },
  ].find(({ price, network }) => price !== null && isThere(network, offer.network))
  if (known === undefined) {
    const where = offer.network === null ? '' : ` on ${offer.network}`
    const detail = `no price of this route is known${where}: --price names what the seller asks for, --asset in what`
    throw usageProblem(ASK, detail)
  }
  const { price, how } = known
  const network = offer.network ?? known.network
  const where = network === null ? '' : ` on ${network}`
  return { offer: { ...offer, price, network }, lines: [`Price ${price}${where}, ${how}; --price names another.`] }
}

/** Whether a known price is one of the network that is asked about. */
const isThere = (known: string | null, asked: string | null): boolean =>
  asked === null || (known !== null && networkKey(known) === networkKey(asked))

function questionIn(argv: string[], baseUrl: string) {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: ASK.options })
  const [url] = positionals
  const method = METHODS.find((known) => known === values.method.toUpperCase())
  const rail = RAILS.find((known) => known === values.rail)
  if (url === undefined || !isWebAddress(url)) throw expected(ASK, '<url>', 'an http or https address')
  if (positionals.length > 1) throw usageProblem(ASK, 'one address is asked about at a time')
  if (method === undefined) throw expected(ASK, '--method', `one of ${METHODS.join(', ')}`)
  if (rail === undefined) throw expected(ASK, '--rail', `one of ${RAILS.join(', ')}`)
  const to = directoryAt(values.to ?? baseUrl, ASK)
  for (const name of ['price', 'max-price'] as const)
    if (values[name] !== undefined && !DOLLARS.test(values[name]))
      throw expected(ASK, `--${name}`, 'dollars with at most 6 fractional digits, such as 0.02')
  const { price = null, network = null, asset, payee, 'max-price': maxPrice } = values
  const offer = { price, network, ...(asset !== undefined && { asset }), ...(payee !== undefined && { payee }) }
  const policy = maxPrice === undefined ? {} : { policy: { max_price: maxPrice } }
  return { route: { method, url, rail }, offer, policy, to }
}

function linesOf({ allow, findings, now, price, unknown }: JudgementDocument): string[] {
  const known = [
    ...(price === undefined
      ? []
      : [`Listed price: ${price.listed ?? 'no data'}, observed: ${price.observed ?? 'no data'}`]),
    ...(now === undefined ? [] : [now.line]),
  ]
  return [
    allow ? 'Allow: nothing stops this payment.' : 'Stop: do not pay this.',
    ...findings.flatMap(({ code, severity, said, href }) => [`  ${severity} ${code}: ${said}`, `    ${href}`]),
    ...known,
    ...unknown.map((line) => `Not known: ${line}`),
  ]
}
