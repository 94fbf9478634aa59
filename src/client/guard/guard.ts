import { FINDING_CODES, type FindingCode, SEVERITIES, type Severity } from '../../domain/guard/finding.ts'
import { isDollar } from '../../domain/guard/price-facts.ts'
import { formatPrice, priceFromDecimal } from '../../domain/money/price.ts'
import { METHODS } from '../../domain/words/route-words.ts'
import { DECIDE_PATH, REVIEWS_PATH } from '../../wire/paths.ts'
import type { Signer } from '../sign.ts'
import { addressOf, type Calls, guardFetch } from './address.ts'
import { type Directory, type Found, finding, findingsFrom, type Question } from './directory.ts'
import { guardMcp } from './mcp.ts'
import { guardMppx, guardPrepared, type MppxCreate, type Prepared, type PreparingMppx } from './mppx.ts'
import type { GuardQuestion } from './question.ts'
import type { Allowed, ReportDetails, Reported } from './report.ts'
import { allows, type GuardFinding, type Verdict } from './verdict.ts'
import { guardX402, type X402Transport } from './x402.ts'

export interface GuardPolicy {
  /** Dollars, such as `0.05`: nothing dearer is paid, whether the directory answers or not. */
  readonly maxPrice?: string
  /** How far above a known price is still that price: 0.05 is five hundredths. */
  readonly tolerance?: number
  /** The codes that stop, in place of the usual ones. */
  readonly stop?: readonly FindingCode[]
  /** What a host means that no source has named; `allow` unless given. */
  readonly unknownHost?: 'allow' | 'refuse'
  /** What it means when the directory does not answer in time and never has for this offer; `allow` unless given. */
  readonly unreachable?: 'allow' | 'refuse'
}

/** One decision, for a log. */
export interface Decision extends Verdict {
  readonly question: GuardQuestion
  /** One line. */
  readonly line: string
}

export interface GuardOptions {
  /** Such as `https://tollbook.example`. */
  readonly directory: string
  readonly policy?: GuardPolicy
  /** Told of every decision. What it throws is nobody's business. */
  readonly onDecision?: (decision: Decision) => void
  /** The platform's own unless given. */
  readonly fetch?: typeof globalThis.fetch
  /** Signs what `report` tells. Without one nothing is ever reported. */
  readonly signer?: Signer
  /** How long a payment waits for the directory; 300 milliseconds unless given. */
  readonly limitMs?: number
}

const LIMIT_MS = 300
/** An answer is asked for anew when it is older. */
const FRESH_MS = 60_000
const MOST_ANSWERS = 1000

/** What a directory has answered to one question, and when, and whether it is being asked. */
interface Known {
  findings?: Found
  atMs: number
  asking?: Promise<void> | undefined
}

export type Guard = ReturnType<typeof createGuard>

/** Asks a directory before every payment. Throws nothing but `PaymentStopped`, and signs nothing. */
export function createGuard(options: GuardOptions) {
  const { directory, policy = {}, onDecision, fetch, limitMs = LIMIT_MS, signer, ...more } = options
  const { maxPrice, tolerance = 0, stop, unknownHost = 'allow', unreachable = 'allow', ...others } = policy
  const limit = priceFromDecimal(String(maxPrice))
  const must = (isSo: boolean, what: string): void => {
    if (!isSo) throw new TypeError(what)
  }
  must(/^https?:/.test(directory) && URL.canParse(directory), 'directory is no address')
  must(maxPrice === undefined || limit !== undefined, 'maxPrice is dollars')
  must(!stop?.some((code) => !FINDING_CODES.includes(code)), 'stop names an unknown code')
  must(tolerance >= 0 && tolerance <= 10, 'tolerance is from 0 to 10')
  for (const word of [unknownHost, unreachable]) must(['allow', 'refuse'].includes(word), `${word} is not known`)
  for (const name in { ...more, ...others }) must(false, `${name} is not known`)
  const baseUrl = directory.replace(/\/+$/, '')
  const to: Directory = {
    decideUrl: baseUrl + DECIDE_PATH,
    reviewsUrl: baseUrl + REVIEWS_PATH,
    // Browsers refuse a fetch that is called as the method of something else.
    fetch: (input, init) => (fetch ?? globalThis.fetch)(input, init),
  }
  const rules = { max_price: limit === undefined ? undefined : formatPrice(limit), tolerance, stop }
  const answers = new Map<string, Known>()
  const paying = new Map<string, Allowed>()
  const calls: Calls = new WeakMap()
  /** The name of a header that no seller can guess. */
  const mark = String(Math.random())

  /** `undefined`: there is no answer. Everybody who asks the same at once shares one request. */
  async function known(question: Question): Promise<Found> {
    const key = JSON.stringify(question)
    const answer: Known = answers.get(key) ?? { atMs: Number.NaN }
    keep(answers, key, answer)
    // An answer from the future is one from before the clock was set back.
    if (Math.abs(Date.now() - answer.atMs) < FRESH_MS) return answer.findings
    answer.asking ??= findingsFrom(to, question)
      .then((findings) => {
        if (findings) Object.assign(answer, { findings, atMs: Date.now() })
      })
      .catch(() => undefined)
      .then(() => {
        answer.asking = undefined
      })
    await within(limitMs, answer.asking)
    return answer.findings
  }

  const stops: readonly unknown[] = [
    'price_above_limit',
    ...(stop ?? ['asset_unknown']),
    unknownHost === 'refuse' && 'unknown_host',
    unreachable === 'refuse' && 'directory_unreachable',
  ]
  const severityOf = (code: string): Severity => (stops.includes(code) ? 'stop' : 'warn')
  const found = (isSo: boolean, code: FindingCode, said: string): GuardFinding[] =>
    isSo ? [finding(code, severityOf(code), said)] : []

  /** Whether to pay. Never rejects. */
  async function ask(question: GuardQuestion): Promise<Verdict> {
    const { method, url, answered = url, named, rail, offer } = question
    const { deposit = offer.price, network = null, asset, payee } = offer
    const units = dollarsIn(offer.price)
    const most = Math.max(units, dollarsIn(deposit))
    const price = units >= 0 ? formatPrice(units) : null
    const asked = url ?? answered
    const places = [asked ?? named, answered ?? named].flatMap((one) => addressOf(one) ?? [])
    const told = await Promise.all(
      [...new Set(places)].map(
        async (place) =>
          (await known({
            ...{ method: methodIn(method), url: place, rail, policy: rules },
            offer: { price, network, asset, payee },
          })) ?? found(true, 'directory_unreachable', 'The directory did not answer: nothing is known of this offer.'),
      ),
    )
    const findings = [
      ...told.flat(),
      ...found(!asked, 'directory_unreachable', 'Nobody says which address is paid: nothing is known of this offer.'),
      // What an offer says by itself. Without a limit no more than the price is locked up.
      ...found(
        limit === undefined ? most > units : !(most <= limit),
        'price_above_limit',
        `The price of ${most >= 0 ? formatPrice(most) : 'unknown value'} is above the limit of ${formatPrice(limit ?? units)}.`,
      ),
      ...found(
        price === null || !!(asset && !isDollar(network, asset)),
        'asset_unknown',
        'The price in dollars is not known.',
      ),
    ]
      .map((one) =>
        // A directory is not asked to stop by `unknownHost`, and refuses an address without a look at the policy.
        one.code === 'unknown_host' ? { ...one, severity: severityOf(one.code) } : one,
      )
      .filter(
        (one, at, all) => all.findIndex((same) => same.code === one.code && same.severity === one.severity) === at,
      )
      .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
    const verdict = { allow: allows(findings), findings }
    for (const place of places)
      if (signer && asked && verdict.allow) keep(paying, place, { question, atMs: Date.now() })
    try {
      const codes = findings.map(({ code, severity }) => `${severity} ${code}`).join(', ')
      const line = `${verdict.allow ? 'allow' : 'stop'} ${rail} ${price ?? 'no price'} ${places[0] ?? ''} ${codes}`
      onDecision?.({ ...verdict, question, line: line.trimEnd() })
    } catch {
      // A log that fails must not decide about money.
    }
    return verdict
  }

  /**
   * Tells the directory what came of a paid call, signed, when the program gave a signer: `undefined` when it gave none.
   * `null` as the response: no answer came after the payment. Never rejects.
   */
  const report = async (response: Response | null, details: ReportDetails = {}): Promise<Reported | undefined> =>
    signer &&
    import('./report.ts')
      .then(({ report }) => report({ to, signer, calls, paying, addressOf, methodIn }, response, details))
      .catch((error: unknown): Reported => ({ sent: false, reason: String(error) }))

  return {
    ask,
    report,
    /** Guards an `x402HTTPClient` of `@x402/core`, and answers the same one. */
    x402: <T extends X402Transport>(client: T, known: { readonly method?: string } = {}): T =>
      guardX402(client, ask, known.method, calls, mark),
    /** A fetch for x402 clients, by which the guard knows method and address of each call, and where it was led to. */
    fetch: (inner: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch =>
      guardFetch(inner, calls, mark),
    /** What MCP clients of both kits ask before they pay the server at this address. */
    mcp: (url: string) => guardMcp(ask, url),
    /** `create` of mppx, guarded: whatever it creates asks before it pays. */
    mppx: <T extends MppxCreate>(create: T): T => guardMppx(create, ask, calls),
    /** Prepares a paid request with an mppx client and answers it once the guard allows: call `payment.pay()`. */
    prepare: <P extends Prepared>(mppx: PreparingMppx<P>, input: string | URL, init?: RequestInit) =>
      guardPrepared(mppx, ask, input, init),
  }
}

const methodIn = (text: unknown) => METHODS.find((one) => one === String(text).toUpperCase())

/** As somebody wrote them; not a number where they are not known. */
const dollarsIn = (price: string | null): number => priceFromDecimal(String(price)) ?? Number.NaN

/** The newest last, and no more than a program needs. */
function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest = key] = kept.keys()
  if (kept.size > MOST_ANSWERS) kept.delete(oldest)
}

/** Waits for what never rejects. */
const within = (ms: number, work: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
