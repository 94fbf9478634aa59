import { parseArgs } from 'node:util'
import { createClient } from '../../client/client.ts'
import { NoAnswerError, RefusedError, UnreadableError } from '../../client/problem.ts'
import { METHODS, RAILS } from '../../domain/route.ts'
import type { DecisionDocument } from '../../wire/api/decision.ts'
import type { JudgementDocument, JudgementRequest } from '../../wire/api/judgement.ts'
import { ASK } from '../catalogue/check.ts'
import { clientProblem } from '../client-problem.ts'
import { type Command, type CommandContext, usageProblem } from '../command.ts'
import { plainLine } from '../terminal/plain.ts'

export interface AskDeps {
  readonly fetch: typeof globalThis.fetch
  /** The directory that is asked unless `--to` says otherwise. */
  baseUrl(): string
}

type Offer = JudgementRequest['offer']

const STOPPED = 3

/** `tollbook ask <url>`: what speaks against paying what a seller asks for, and where the evidence is. */
export const askCommand = (deps: AskDeps): Command => ({
  run: async (argv: string[], { out }: CommandContext): Promise<number> => {
    const { route, offer: named, policy, to } = questionIn(argv, deps.baseUrl())
    const client = createClient({ baseUrl: to, fetch: deps.fetch })
    const answered = <T>(answer: Promise<T>): Promise<T> =>
      answer.catch((error: unknown) => {
        const isOurs = error instanceof RefusedError || error instanceof UnreadableError
        throw clientProblem(isOurs ? error : new NoAnswerError(to, error), `${new URL(to).origin} does not answer`)
      })
    const isNamed = named.price !== null || named.asset !== undefined
    const { offer, lines } = isNamed
      ? { offer: named, lines: [] }
      : knownOffer(named, (await answered(client.decide(route))).price)
    const judged = await answered(client.judge({ ...route, offer, ...policy }))
    for (const line of [...lines, ...linesOf(judged)]) out.write(`${plainLine(line)}\n`)
    return judged.allow ? 0 : STOPPED
  },
})

/** What is judged where nobody named a price: what the route asked for last, or else what is listed. */
function knownOffer(offer: Offer, { observed, listed, listed_network }: DecisionDocument['price']) {
  const price = observed ?? listed
  if (price === null) {
    throw usageProblem(ASK, 'no price of this route is known: --price names what the seller asks for, --asset in what')
  }
  const network = offer.network ?? listed_network
  const where = network === null ? '' : ` on ${network}`
  return {
    offer: { ...offer, price, network },
    lines: [
      `Price ${price}${where}, ${observed === null ? 'as it is listed' : 'as it asked for last'}; --price names another.`,
    ],
  }
}

function questionIn(argv: string[], baseUrl: string) {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: ASK.options })
  const [url] = positionals
  const method = METHODS.find((known) => known === values.method.toUpperCase())
  const rail = RAILS.find((known) => known === values.rail)
  const to = (values.to ?? baseUrl).replace(/\/+$/, '')
  if (url === undefined || positionals.length > 1 || method === undefined || rail === undefined) throw usageProblem(ASK)
  if (!URL.canParse(to) || !/^https?:\/\//.test(to)) throw usageProblem(ASK)
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
