import type { SellerHost } from '../../domain/host.ts'
import type { RouteAddress } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { pauseAskedMs } from '../../wire/retry-after.ts'
import type { Asked, Asking } from './ask.ts'

type Called = Pick<RouteAddress, 'scheme' | 'host'>

/** Why a seller is not asked: the operator was asked to leave it alone, its robots.txt forbids it, or it wants a pause. */
const LEFT_ALONE: readonly string[] = ['opted_out', 'robots', 'paused']
export const isLeftAlone = (answer: string): boolean => LEFT_ALONE.includes(answer)

/** `unasked`: nothing was sent. `why`: one of the words above, `interrupted`, or why its robots.txt could not be reached. */
export type SellerAnswer = Asked | { readonly kind: 'unasked'; readonly why: string }

/** Sends one request to a host, after its rest. */
export type InTurn = <T>(send: () => Promise<T>) => Promise<T>

/** How an answer bears on the next request. */
export interface HostAnswer {
  /** `null`: there was none, because of `error`. */
  readonly status: number | null
  readonly error: string | null
  readonly retryAfter: string | null
}

export interface HostRules {
  /** By the host's robots.txt. */
  isAllowed(path: string): boolean
  /** What robots.txt was answered, where it was asked for just now. */
  readonly answer: HostAnswer | null
}

/** How sellers are called, which is the prober's way; `main` brings it. */
export interface SellerManners {
  /** Between the end of one request to a host and the start of the next. */
  readonly gapMs: number
  /** Nothing at all is asked there. */
  isOptedOut(host: SellerHost): boolean
  /** The host asked to be left alone until then, a prober or whoever else read its documents. */
  notBeforeUs(host: SellerHost): Promise<TimestampUs>
  /** The host asked to be left alone until then: by probers and other programs, too. */
  pauseUntil(host: SellerHost, untilUs: TimestampUs): Promise<void>
  /** What the host's robots.txt says; `inTurn` is around every request for it. */
  rulesOf(seller: Called, inTurn: InTurn): Promise<HostRules>
}

/** A shorter pause is waited for. */
const LONGEST_WAIT_MS = 30_000
const MOST_REMEMBERED = 20_000

interface Host {
  /** Ends with the last call that waits here. */
  last: Promise<unknown>
  calls: number
  /** Of the last request. */
  endedUs: TimestampUs
  pausedUntilUs: TimestampUs
}

class Unasked extends Error {
  override readonly name = 'Unasked'
  constructor(readonly why: string) {
    super(why)
  }
}

type Waiting = Pick<Asking, 'now' | 'sleep' | 'signal'>

/**
 * The way to sellers' own documents: one request in flight per host, with its rest between two of them, and none where the
 * host does not want it. One for a program, so that several sources keep out of each other's way.
 */
export class SellerCalls {
  readonly #hosts = new Map<SellerHost, Host>()

  constructor(private readonly manners: SellerManners) {}

  /** Asks for one document of a seller by `send`, when it is the seller's turn. */
  async ask(seller: Called, path: string, waiting: Waiting, send: () => Promise<Asked>): Promise<SellerAnswer> {
    if (this.manners.isOptedOut(seller.host)) return { kind: 'unasked', why: 'opted_out' }
    const host = this.#hostOf(seller.host, waiting.now())
    const asking = host.last.then(() => this.#askAlone(host, seller, path, waiting, send))
    host.calls += 1
    host.last = asking.catch(() => undefined)
    try {
      return await asking
    } catch (error) {
      if (!(error instanceof Unasked)) throw error
      return { kind: 'unasked', why: error.why }
    } finally {
      host.calls -= 1
    }
  }

  async #askAlone(host: Host, seller: Called, path: string, waiting: Waiting, send: () => Promise<Asked>) {
    const { manners } = this
    const inTurn: InTurn = async (call) => {
      await this.#rest(host, waiting)
      try {
        return await call()
      } finally {
        host.endedUs = waiting.now()
      }
    }
    host.pausedUntilUs = Math.max(host.pausedUntilUs, await manners.notBeforeUs(seller.host))
    await this.#pause(host, waiting)
    const { isAllowed, answer } = await manners.rulesOf(seller, inTurn)
    if (answer !== null) {
      await this.#heed(host, seller.host, answer, waiting.now())
      // A host that gave no answer at all is not asked a second time.
      if (answer.status === null && answer.error !== null) throw new Unasked(answer.error)
      await this.#pause(host, waiting)
    }
    if (!isAllowed(path)) throw new Unasked('robots')
    const asked = await inTurn(send)
    if (asked.kind === 'failed') {
      const answered = { status: asked.status, retryAfter: asked.retryAfter ?? null }
      await this.#heed(host, seller.host, answered, waiting.now())
    }
    return asked
  }

  async #heed(
    host: Host,
    name: SellerHost,
    { status, retryAfter }: Pick<HostAnswer, 'status' | 'retryAfter'>,
    nowUs: TimestampUs,
  ): Promise<void> {
    const pauseMs = pauseAskedMs(status, retryAfter, nowUs / 1000)
    if (pauseMs === null) return
    const untilUs = nowUs + Math.round(pauseMs * 1000)
    host.pausedUntilUs = Math.max(host.pausedUntilUs, untilUs)
    await this.manners.pauseUntil(name, untilUs)
  }

  async #pause(host: Host, waiting: Waiting): Promise<void> {
    const waitMs = Math.ceil((host.pausedUntilUs - waiting.now()) / 1000)
    if (waitMs > Math.max(LONGEST_WAIT_MS, this.manners.gapMs)) throw new Unasked('paused')
    if (waitMs > 0) await this.#sleep(waitMs, waiting)
  }

  async #rest(host: Host, waiting: Waiting): Promise<void> {
    const { gapMs } = this.manners
    if (gapMs > 0 && waiting.now() - host.endedUs < gapMs * 1000) await this.#sleep(gapMs, waiting)
  }

  /** A wait that is cut short is no rest: whoever waits gives up. */
  async #sleep(ms: number, { sleep, signal }: Waiting): Promise<void> {
    await sleep(ms)
    if (signal?.aborted) throw new Unasked('interrupted')
  }

  #hostOf(name: SellerHost, nowUs: TimestampUs): Host {
    const known = this.#hosts.get(name)
    if (known !== undefined) return known
    if (this.#hosts.size >= MOST_REMEMBERED) this.#forget(nowUs)
    const host = { last: Promise.resolve(), calls: 0, endedUs: Number.NEGATIVE_INFINITY, pausedUntilUs: 0 }
    this.#hosts.set(name, host)
    return host
  }

  #forget(nowUs: TimestampUs): void {
    const restedUs = nowUs - this.manners.gapMs * 1000
    for (const [name, { calls, endedUs, pausedUntilUs }] of this.#hosts)
      if (calls === 0 && endedUs <= restedUs && pausedUntilUs <= nowUs) this.#hosts.delete(name)
  }
}
