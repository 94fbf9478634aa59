import { parseArgs } from 'node:util'
import { createClient } from '../../client/client.ts'
import { NoAnswerError, RefusedError, UnreadableError } from '../../client/problem.ts'
import { METHODS, RAILS } from '../../domain/route.ts'
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

const STOPPED = 3

/** `tollbook ask <url>`: what speaks against paying what a seller asks for, and where the evidence is. */
export const askCommand = (deps: AskDeps): Command => ({
  run: async (argv: string[], { out }: CommandContext): Promise<number> => {
    const { request, to } = questionIn(argv, deps.baseUrl())
    const judged = await createClient({ baseUrl: to, fetch: deps.fetch })
      .judge(request)
      .catch((error: unknown) => {
        const isOurs = error instanceof RefusedError || error instanceof UnreadableError
        throw clientProblem(isOurs ? error : new NoAnswerError(to, error), `${new URL(to).origin} does not answer`)
      })
    for (const line of linesOf(judged)) out.write(`${plainLine(line)}\n`)
    return judged.allow ? 0 : STOPPED
  },
})

function questionIn(argv: string[], baseUrl: string): { readonly request: JudgementRequest; readonly to: string } {
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
  return { request: { method, url, rail, offer, ...policy }, to }
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
