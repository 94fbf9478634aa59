import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { isGlobalUnicast, withoutSynthesized } from './address.ts'
import type { EgressFailure, EgressReply, EgressSuccess, HeaderPair, Timings } from './answer.ts'
import { Body } from './body.ts'
import { codingsOf } from './codings.ts'
import { Deadline } from './deadline.ts'
import { type EgressError, EgressFault, lookupFault } from './errors.ts'
import { type Exchange, exchange, type Receiver } from './exchange.ts'
import type { Lookup } from './lookup.ts'
import { connectAny, type Dial, secure } from './socket.ts'
import type { Target } from './target.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** One call while it is under way: its stages in order, its deadline, and what is known so far. Owns the socket until `end`. */
export class Call implements Receiver {
  readonly #clock: () => number
  readonly #deadline: Deadline
  readonly #startedAt: number
  readonly #timings: Mutable<Timings> = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
  readonly #body = new Body()
  #stageAt: number
  #socket: Socket | null = null
  #remoteAddress: string | null = null
  #head: { readonly status: number; readonly headers: readonly HeaderPair[] } | null = null
  #truncated = false

  constructor(deadlineMs: number, clock: () => number) {
    this.#clock = clock
    this.#deadline = new Deadline(deadlineMs)
    this.#startedAt = clock()
    this.#stageAt = this.#startedAt
  }

  /** The addresses of the target, each of them checked: one that is not public blocks the name altogether. */
  async resolve(target: Target, lookup: Lookup): Promise<readonly string[]> {
    if (target.isLiteral) return checked([target.hostname])
    const found = async (): Promise<readonly string[]> => await lookup(target.hostname)
    const addresses = await this.#deadline.within(
      found().catch((error: unknown) => {
        throw lookupFault(error)
      }),
    )
    this.#stageEnds('dnsMs')
    return checked(withoutSynthesized(addresses))
  }

  /** Connects to one of exactly these addresses. Nothing is sent before the other end's address has been checked too. */
  async connect(addresses: readonly string[], port: number, dial: Dial, anyAddress: boolean): Promise<void> {
    this.#socket = await connectAny(addresses, port, dial, this.#deadline)
    this.#remoteAddress = this.#socket.remoteAddress ?? null
    if (!anyAddress) checked([this.#remoteAddress ?? ''])
    this.#stageEnds('connectMs')
  }

  async secure(hostname: string, trust: SecureContext): Promise<void> {
    this.#socket = await secure(this.#connected(), hostname, trust, this.#deadline)
    this.#stageEnds('tlsMs')
  }

  async exchange(target: Target, sent: Exchange): Promise<void> {
    const socket = this.#connected()
    await this.#deadline.within(exchange(socket, target, sent, this), 'deadline', () => socket.destroy())
  }

  head(status: number, headers: readonly HeaderPair[]): void {
    this.#head = { status, headers }
    this.#stageEnds('firstByteMs')
  }

  body(chunk: Uint8Array): void {
    this.#body.append(chunk)
  }

  cut(): void {
    this.#truncated = true
  }

  success(): EgressSuccess {
    const reply = this.#reply()
    if (reply === null) throw new EgressFault('protocol_error', 'the answer has no head')
    const { status, headers, body, coding, bodyTruncated } = reply
    const { latencyMs, timings } = this.#measured()
    const remoteAddress = this.#remoteAddress ?? ''
    return { ok: true, status, headers, body, coding, bodyTruncated, latencyMs, timings, remoteAddress }
  }

  failure(error: EgressError): EgressFailure {
    return { ok: false, error, ...this.#measured(), remoteAddress: this.#remoteAddress, partial: this.#reply() }
  }

  /** Lets go of the timer and the connection, whatever happened. */
  end(): void {
    this.#deadline.clear()
    this.#socket?.destroy()
  }

  #connected(): Socket {
    if (this.#socket === null) throw new EgressFault('protocol_error', 'there is no connection')
    return this.#socket
  }

  #stageEnds(stage: keyof Timings): void {
    const now = this.#clock()
    this.#timings[stage] = Math.round(now - this.#stageAt)
    this.#stageAt = now
  }

  #measured(): { readonly latencyMs: number; readonly timings: Timings } {
    return { latencyMs: Math.round(this.#clock() - this.#startedAt), timings: { ...this.#timings } }
  }

  #reply(): EgressReply | null {
    if (this.#head === null) return null
    const { status, headers } = this.#head
    const coding = codingsOf(headers).join(', ') || null
    return { status, headers, body: this.#body.bytes(), coding, bodyTruncated: this.#truncated }
  }
}

function checked(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw new EgressFault('dns_not_found', 'the name has no address')
  const bad = addresses.find((address) => !isGlobalUnicast(address))
  if (bad !== undefined) throw new EgressFault('blocked_address', 'not a public address')
  return addresses
}
