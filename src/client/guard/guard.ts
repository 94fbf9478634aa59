import { FINDING_CODES, type FindingCode, SEVERITIES, type Severity } from '../../domain/guard/finding.ts'
import { isDollar } from '../../domain/guard/price-facts.ts'
import { formatPrice, priceFromDecimal } from '../../domain/money/price.ts'
import { LONGEST_PATH, METHODS } from '../../domain/words/route-words.ts'
import type { Signer } from '../sign.ts'
import { guardFetch } from './address.ts'
import { type Directory, type Found, finding, findingsFrom, type Question } from './directory.ts'
import { guardMcp } from './mcp.ts'
import { guardMppx, guardPrepared, type MppxCreate, type Prepared, type PreparingMppx } from './mppx.ts'
import type { GuardOffer } from './offer.ts'
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

interface Known {
  readonly findings: readonly GuardFinding[]
  readonly atMs: number
}

export type Guard = ReturnType<typeof createGuard>

/** Asks a directory before every payment. Throws nothing but `PaymentStopped`, and signs nothing. */
export function createGuard(options: GuardOptions) {
  const { directory, policy = {}, onDecision, fetch, limitMs = LIMIT_MS, signer } = options
  const { maxPrice, tolerance = 0, stop, unknownHost, unreachable } = policy
  const limit = priceFromDecimal(String(maxPrice))
  if (maxPrice !== undefined && limit === undefined) throw new TypeError('maxPrice is dollars, such as 0.05')
  if (stop?.some((code) => !FINDING_CODES.includes(code))) throw new TypeError('stop names an unknown code')
  if (!(tolerance >= 0 && tolerance <= 10)) throw new TypeError('tolerance is from 0 to 10')
  const to: Directory = {
    baseUrl: directory.replace(/\/+$/, ''),
    // Browsers refuse a fetch that is called as the method of something else.
    fetch: (input, init) => (fetch ?? globalThis.fetch)(input, init),
  }
  const rules = { max_price: limit === undefined ? undefined : formatPrice(limit), tolerance, stop }
  const answers = new Map<string, Known>()
  const paying = new Map<string, Allowed>()
  const asking = new Map<string, Promise<Found>>()
  const led = new Map<string, string>()

  function request(key: string, question: Question): Promise<Found> {
    const asked = findingsFrom(to, question)
      .then((findings) => {
        if (findings) keep(answers, key, { findings, atMs: Date.now() })
        return findings
      })
      .catch(() => undefined)
      .finally(() => asking.delete(key))
    asking.set(key, asked)
    return asked
  }

  /** `undefined`: there is no answer. Everybody who asks the same at once shares one request. */
  async function known(question: Question): Promise<Found> {
    const key = JSON.stringify(question)
    const last = answers.get(key)
    if (last && Date.now() - last.atMs < FRESH_MS) return last.findings
    return (await within(limitMs, asking.get(key) ?? request(key, question))) ?? last?.findings
  }

  const severityOf = (code: FindingCode, isRefused: boolean): Severity =>
    isRefused || stop?.includes(code) ? 'stop' : 'warn'

  /** What an offer says by itself, whatever a directory says of it or keeps silent about. */
  function own({ price, deposit, network = null, asset }: GuardOffer): GuardFinding[] {
    const findings: GuardFinding[] = []
    const asked = dollarsIn(price)
    const most = Math.max(asked, dollarsIn(deposit ?? price))
    // Without a limit no more than the price is locked up.
    if (limit === undefined ? most > asked : !(most <= limit)) {
      const said = `The price of ${most >= 0 ? formatPrice(most) : 'unknown value'} is above the limit of ${formatPrice(limit ?? asked)}.`
      findings.push(finding('price_above_limit', 'stop', said))
    }
    if (price === null || (asset && !isDollar(network, asset)))
      findings.push(finding('asset_unknown', severityOf('asset_unknown', !stop), 'The price in dollars is not known.'))
    return findings
  }

  /** Whether to pay. Never rejects. */
  async function ask(question: GuardQuestion): Promise<Verdict> {
    const { method, url, answered = url, rail, offer } = question
    const { network = null, asset, payee } = offer
    const units = dollarsIn(offer.price)
    const price = units >= 0 ? formatPrice(units) : null
    const places = [...new Set([url ?? answered, answered].map((one) => one && plain(one)))]
    const told = await Promise.all(
      places.map(
        async (place) =>
          (place &&
            (await known({
              ...{ method: METHODS.find((one) => one === method), url: place, rail, policy: rules },
              offer: { price, network, asset, payee },
            }))) || [
            finding(
              'directory_unreachable',
              severityOf('directory_unreachable', unreachable === 'refuse'),
              'The directory did not answer: nothing is known of this offer.',
            ),
          ],
      ),
    )
    const findings = [...told.flat(), ...own({ ...offer, price })]
      .map((one) =>
        // A directory is not asked to stop by `unknownHost`, and refuses an address without a look at the policy.
        one.code === 'unknown_host' && severityOf('unknown_host', unknownHost === 'refuse') === 'stop'
          ? { ...one, severity: 'stop' as const }
          : one,
      )
      .filter(
        (one, at, all) => all.findIndex((same) => same.code === one.code && same.severity === one.severity) === at,
      )
      .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
    const verdict = { allow: allows(findings), findings }
    for (const place of places)
      if (signer && place && verdict.allow) keep(paying, place, { question, atMs: Date.now() })
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
  async function report(response: Response | null, details: ReportDetails = {}): Promise<Reported | undefined> {
    if (!signer) return undefined
    try {
      const { report } = await import('./report.ts')
      const url = plain(details.url ?? response?.url ?? '')
      return await report(to, signer, response, { ...details, url }, paying.get(url))
    } catch (error) {
      return { sent: false, reason: String(error) }
    }
  }

  return {
    ask,
    report,
    /** Guards an `x402HTTPClient` of `@x402/core`, and answers the same one. */
    x402: <T extends X402Transport>(client: T, known: { readonly method?: string } = {}): T =>
      guardX402(client, ask, known.method, led),
    /** A fetch for x402 clients: a seller that leads buyers elsewhere is held to what is known of where they asked. */
    fetch: (inner: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch =>
      guardFetch(inner, (asked, answered) => keep(led, asked, answered)),
    /** What MCP clients of both kits ask before they pay the server at this address. */
    mcp: (url: string) => guardMcp(ask, url),
    /** `create` of mppx, guarded: whatever it creates asks before it pays. */
    mppx: <T extends MppxCreate>(create: T): T => guardMppx(create, ask),
    /** Prepares a paid request with an mppx client and answers it once the guard allows: call `payment.pay()`. */
    prepare: <P extends Prepared>(mppx: PreparingMppx<P>, input: string | URL, init?: RequestInit) =>
      guardPrepared(mppx, ask, input, init),
  }
}

/** As somebody wrote them; not a number where they are not known. */
const dollarsIn = (price: string | null): number => priceFromDecimal(String(price)) ?? Number.NaN

/** The newest last, and no more than a program needs. */
function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > MOST_ANSWERS && oldest !== undefined) kept.delete(oldest)
}

/** Without what no directory is told: fragment, name and password, and a query that is longer than any listed path. */
function plain(url: string): string {
  try {
    const address = new URL(url)
    address.hash = address.username = address.password = ''
    if (address.pathname.length + address.search.length > LONGEST_PATH) address.search = ''
    return address.href
  } catch {
    return url
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
