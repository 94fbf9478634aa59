import { parseArgs } from 'node:util'
import { createConnection } from '../client/connection.ts'
import type { Payer, Price } from '../client/payer.ts'
import { signPost } from '../client/sign.ts'
import { type QuotedPost, quotePost, SentBeforeError, UndecidedError } from '../client/write.ts'
import { EVERY_HOST, parseHost, type SellerHost } from '../domain/host.ts'
import { formatPrice, priceFromDecimal } from '../domain/money/price.ts'
import { Problem } from '../domain/problem.ts'
import { RAILS, type Rail } from '../domain/route.ts'
import { textFault } from '../domain/words/text.ts'
import type { PostDocument } from '../wire/api/post.ts'
import { fillPath, PATHS } from '../wire/paths.ts'
import { textDigest } from '../wire/signed-lines.ts'
import { POST } from './catalogue/write.ts'
import { clientProblem } from './client-problem.ts'
import {
  type Command,
  type CommandContext,
  type DirectoryDeps,
  directoryAt,
  expected,
  misuse,
  onlyWord,
} from './command.ts'
import type { PayerOptions } from './paying/options.ts'
import { accountIn } from './terminal/key-file.ts'
import { plainLine } from './terminal/plain.ts'

export interface PostCommandDeps extends DirectoryDeps {
  sleep(ms: number): Promise<void>
  /** Everything on standard input, when it is no terminal; `undefined` on one. */
  readStdin(): Promise<string> | undefined
  /** A yes or no of whoever sits at the terminal; `undefined` without one. */
  confirm(question: string): Promise<boolean> | undefined
  payer(rail: Rail, options: PayerOptions): Payer
}

interface Order {
  readonly host: SellerHost
  readonly rail: Rail
  /** The directory, without a trailing slash. */
  readonly to: string
  readonly keyFile: string
  readonly maxPrice: string
  readonly rpcUrl: string | undefined
  readonly isAgreed: boolean
  readonly text: string
  /** Under which the post is paid for once, however often the command is run. */
  readonly idempotencyKey: string
}

/** `tollbook post <host>`: says what it costs and who is paid, asks, pays, and stays until the outcome is known. */
export const postCommand = (deps: PostCommandDeps): Command => ({
  run: async (argv: string[], { out, err }: CommandContext): Promise<number> => {
    const order = await orderIn(argv, deps)
    const account = await accountIn(order.keyFile, (warning) => err.write(`warning: ${warning}\n`))
    const body = await signPost(account, { host: order.host, text: order.text, nowMs: deps.nowMs() })
    const connection = createConnection({ baseUrl: order.to, fetch: deps.fetch })
    // Refuses a price above --max-cost, before anything is signed that could move money.
    const payer = deps.payer(order.rail, { account, maxPrice: order.maxPrice, rpcUrl: order.rpcUrl })
    const quoted = await told(order, quotedOrSent(quotePost(connection, order.host, body, payer, order)))
    let isOpen = false
    const onWait = (reason: string): void => {
      isOpen = true
      err.write(`${reason}; asking again\n`)
    }
    if (quoted instanceof SentBeforeError) {
      const sent = quoted.again({ sleep: deps.sleep, nowMs: deps.nowMs, onWait })
      out.write(receiptLines(await told(order, sent, () => isOpen)))
      out.write('It was sent before: nothing more was paid. Another --idempotency-key pays for the same words again.\n')
      return 0
    }
    out.write(priceLines(order, quoted, account.address))
    if (!(await isAgreed(order, deps))) {
      out.write('Nothing was paid.\n')
      return 1
    }
    const post = await told(order, paid(quoted, deps, onWait), () => isOpen)
    out.write(receiptLines(post))
    return 0
  },
})

const paid = (
  { pay }: QuotedPost,
  { sleep, nowMs }: PostCommandDeps,
  onWait: (reason: string) => void,
): Promise<PostDocument> => pay({ sleep, nowMs, onWait })

/** An earlier run with the same words, or under the same name: paid for once. */
const quotedOrSent = (quoting: Promise<QuotedPost>): Promise<QuotedPost | SentBeforeError> =>
  quoting.catch((error: unknown) => {
    if (error instanceof SentBeforeError) return error
    throw error
  })

/** What the client comes to; what it rejects with in one line. `isOpen`: a paid request had no clear answer before. */
async function told<T>(order: Order, work: Promise<T>, isOpen = (): boolean => false): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UndecidedError) throw undecided(order)
    throw clientProblem(error, `${new URL(order.to).origin} does not answer; nothing was charged`, isOpen())
  }
}

const KEY_FORM = '1 to 255 visible ASCII characters, without a space'
const KEY = /^[\x21-\x7e]{1,255}$/

/** The same words for the same host have the same name, so that a command that is run again does not pay again. */
const keyOf = (host: SellerHost, text: string): string => `post-${textDigest(`${host}\n${text}`)}`

async function orderIn(argv: string[], deps: PostCommandDeps): Promise<Order> {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: POST.options })
  const name = onlyWord(POST, positionals, 'the host that it is about')
  const rail = RAILS.find((known) => known === values.rail)
  const maxPrice = priceFromDecimal(values['max-cost'])
  const keyFile = values['key-file']
  const ownKey = values['idempotency-key']
  if (rail === undefined) throw expected(POST, '--rail', `one of ${RAILS.join(', ')}`)
  if (maxPrice === undefined) throw expected(POST, '--max-cost', 'dollars such as 0.05')
  if (keyFile === undefined) throw expected(POST, '--key-file', 'the file with the private key of the wallet')
  if (ownKey !== undefined && !KEY.test(ownKey)) throw expected(POST, '--idempotency-key', KEY_FORM)
  const to = directoryAt(values.to ?? deps.baseUrl, POST)
  // Whether a special name is taken is the other directory's to say.
  const reading = parseHost(name, EVERY_HOST)
  if (!reading.ok) throw misuse(`${name} is no seller host: ${reading.reason}`)
  const { host } = reading
  const text = await textOf(values.text, deps)
  const rest = { rpcUrl: values['rpc-url'], isAgreed: values.yes, text, idempotencyKey: ownKey ?? keyOf(host, text) }
  return { host, rail, to, keyFile, maxPrice: formatPrice(maxPrice), ...rest }
}

async function textOf(given: string | undefined, deps: PostCommandDeps): Promise<string> {
  // The line feed at the end of a file is the editor's, not the writer's.
  const text = given ?? (await deps.readStdin())?.replace(/\r?\n$/, '')
  if (text === undefined) throw expected(POST, '--text', 'what you write, or words on standard input')
  const fault = textFault(text)
  if (fault !== undefined) throw misuse(fault, 'say it with --text or on standard input')
  return text
}

async function isAgreed(order: Order, deps: PostCommandDeps): Promise<boolean> {
  if (order.isAgreed) return true
  const answer = deps.confirm('Pay and post? [y/N] ')
  if (answer !== undefined) return answer
  throw misuse('nobody is there to agree; nothing was charged', 'add --yes to pay')
}

const priceLines = (order: Order, { price, network, asset, payee }: Price, wallet: string): string =>
  [
    `Post to the thread of ${order.host} at ${new URL(order.to).origin}`,
    `  price:     ${price} dollars through ${order.rail}`,
    ...(order.rail === 'mpp' ? ["  fee:       Tempo's own on top, in the same dollar"] : []),
    `  network:   ${network}`,
    `  asset:     ${asset}`,
    `  recipient: ${payee}`,
    `  wallet:    ${wallet}`,
    'Should this be cut off, run it again: the same words are paid for once. Another --idempotency-key pays again.',
    '',
  ]
    .map(plainLine)
    .join('\n')

function receiptLines({ id, href, payment }: PostDocument): string {
  const { payer, network, transaction, settlement } = payment
  const how = settlement === null ? '' : ` (${settlement})`
  const lines = [`Posted ${id}: ${href}`, `Paid by ${payer} on ${network}: ${transaction}${how}`, '']
  return lines.map(plainLine).join('\n')
}

const undecided = ({ to, host }: Order): Problem =>
  new Problem(
    'undecided',
    503,
    'Undecided',
    'it is not known yet whether the payment was made',
    `run it again, which never pays twice; the post appears at ${to}${fillPath(PATHS.thread, { host })} once it is found`,
  )
