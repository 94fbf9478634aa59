import { parseArgs } from 'node:util'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type AllowHosts, parseHost, type SellerHost } from '../domain/host.ts'
import { formatPrice, type MicroDollars, priceFromDecimal } from '../domain/price.ts'
import { Problem } from '../domain/problem.ts'
import { RAILS, type Rail } from '../domain/route.ts'
import { textFault } from '../domain/text.ts'
import { mppThreadHref, threadHref } from '../render/site.ts'
import { formatSignedAt } from '../wire/signed-at.ts'
import { postMessage } from '../wire/signed-lines.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'
import { accountIn } from './key-file.ts'
import { type Ask, type Asked, type Price, unpaid } from './pay/pay.ts'
import { type Letter, postIn, type Reply, refusal, send, sendUntilKnown, type TalkDoors } from './post-talk.ts'

export interface PostDoors extends TalkDoors {
  /** Where posts go unless `--to` says otherwise. */
  baseUrl(): string
  /** Everything on standard input, when it is no terminal; `undefined` on one. */
  readStdin(): Promise<string> | undefined
  /** A yes or no of whoever sits at the terminal; `undefined` without one. */
  confirm(question: string): Promise<boolean> | undefined
  /** Loaded when it is needed: each brings the libraries of its rail. */
  asker(rail: Rail): Promise<Ask>
}

const usage =
  'tollbook post <host> --key-file <file> [--text "…"] [--rail x402|mpp] [--to <base url>] [--max-cost 0.05] [--rpc-url <url>] [--yes]   pay for a post to a thread'

const OPTIONS = {
  text: { type: 'string' },
  rail: { type: 'string', default: 'x402' },
  'key-file': { type: 'string' },
  to: { type: 'string' },
  'max-cost': { type: 'string', default: '0.05' },
  'rpc-url': { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const

interface Order {
  readonly host: SellerHost
  readonly rail: Rail
  readonly endpoint: string
  readonly keyFile: string
  readonly maxCost: MicroDollars
  readonly rpcUrl: string | undefined
  readonly isAgreed: boolean
  readonly text: string | undefined
}

/** `tollbook post <host>`: says what it costs and who is paid, asks, pays, and stays until the outcome is known. */
export const postCommand = (doors: PostDoors): Command => ({
  usage,
  run: async (argv: string[], { allowHosts, out, err }: CommandContext): Promise<number> => {
    const order = orderIn(argv, doors.baseUrl(), allowHosts)
    const text = await textOf(order, doors)
    const account = await accountIn(order.keyFile, (warning) => err.write(`warning: ${warning}\n`))
    const letter = await letterOf(order, text, account, doors.nowMs())
    const demand = await reached(order, send(doors, letter))
    if (demand.status !== 402) throw refusal(demand)
    const ask = await doors.asker(order.rail)
    // Refuses a price above --max-cost, before anything is signed that could move money.
    const asked = await ask(demand.headers, { account, rpcUrl: order.rpcUrl, maxCost: order.maxCost })
    out.write(priceLines(order, asked.price, account.address))
    if (!(await isAgreed(order, doors))) {
      out.write('Nothing was paid.\n')
      return 1
    }
    const paid = { ...letter, headers: { ...letter.headers, ...(await signed(asked)) } }
    const reply = await sendUntilKnown(doors, paid, (reason) => err.write(`${reason}; asking again\n`))
    if (reply === undefined) throw undecided(order)
    if (reply.status !== 200 && reply.status !== 201) throw refusal(reply)
    out.write(receiptLines(reply))
    return 0
  },
})

function orderIn(argv: string[], baseUrl: string, allow: AllowHosts): Order {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS })
  const [name] = positionals
  const rail = RAILS.find((known) => known === values.rail)
  const maxCost = priceFromDecimal(values['max-cost'])
  const keyFile = values['key-file']
  const to = (values.to ?? baseUrl).replace(/\/+$/, '')
  if (name === undefined || positionals.length > 1 || rail === undefined) throw usageProblem(usage)
  if (maxCost === undefined || keyFile === undefined || !/^https?:\/\//.test(to)) throw usageProblem(usage)
  // Whether a special name is taken is the other directory's to say.
  const reading = parseHost(name, [...allow, name.toLowerCase().replace(/:\d+$/, '')])
  if (!reading.ok) throw new Problem('usage', 400, 'Usage', `${name} is no seller host: ${reading.reason}`, '')
  const endpoint = `${to}${rail === 'x402' ? threadHref(reading.host) : mppThreadHref(reading.host)}`
  const rest = { rpcUrl: values['rpc-url'], isAgreed: values.yes, text: values.text }
  return { host: reading.host, rail, endpoint, keyFile, maxCost, ...rest }
}

async function textOf(order: Order, doors: PostDoors): Promise<string> {
  // The line feed at the end of a file is the editor's, not the writer's.
  const text = order.text ?? (await doors.readStdin())?.replace(/\r?\n$/, '')
  if (text === undefined) throw usageProblem(usage)
  const fault = textFault(text)
  if (fault !== undefined) throw new Problem('usage', 400, 'Usage', fault, '')
  return text
}

async function letterOf(order: Order, text: string, account: PrivateKeyAccount, nowMs: number): Promise<Letter> {
  const signedAt = formatSignedAt(nowMs * 1000)
  const signature = await account.signMessage({ message: postMessage({ host: order.host, text, signedAt }) })
  return {
    url: order.endpoint,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ text, wallet: account.address, signature, signed_at: signedAt }),
  }
}

async function reached(order: Order, reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply
  } catch {
    const { origin } = new URL(order.endpoint)
    throw new Problem('no-answer', 503, 'No answer', `${origin} does not answer; nothing was charged`, '')
  }
}

async function isAgreed(order: Order, doors: PostDoors): Promise<boolean> {
  if (order.isAgreed) return true
  const answer = doors.confirm('Pay and post? [y/N] ')
  if (answer !== undefined) return answer
  throw new Problem('usage', 400, 'Usage', 'nobody is there to agree; nothing was charged', 'add --yes to pay')
}

/** Libraries fail in their own words, which may name a node's address and its key. */
async function signed(asked: Asked): Promise<Readonly<Record<string, string>>> {
  try {
    return await asked.sign()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw unpaid('the payment could not be made ready; nothing was charged', 'check the balance and the node')
  }
}

const priceLines = (order: Order, price: Price, wallet: string): string =>
  [
    `Post to the thread of ${order.host} at ${new URL(order.endpoint).origin}`,
    `  price:     ${formatPrice(price.dollars)} dollars through ${order.rail}`,
    `  network:   ${price.network}`,
    `  asset:     ${price.asset}`,
    `  recipient: ${price.payee}`,
    `  wallet:    ${wallet}`,
    '',
  ].join('\n')

function receiptLines(reply: Reply): string {
  const { id, href, payment } = postIn(reply.text)
  const { payer, network, transaction, settlement } = payment
  const how = settlement == null ? '' : ` (${settlement})`
  return [`Posted ${id}: ${href}`, `Paid by ${payer} on ${network}: ${transaction}${how}`, ''].join('\n')
}

const undecided = ({ endpoint }: Order): Problem =>
  new Problem(
    'undecided',
    503,
    'Undecided',
    'it is not known yet whether the payment was made',
    `do not pay again before its time is over: the post appears at ${endpoint.replace('/mpp/', '/')} once it is found`,
  )
