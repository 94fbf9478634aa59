import { type AllowHosts, parseHost, type SellerHost } from '../host.ts'
import { sha256Hex } from '../keys.ts'
import { METHODS, type Method, parseAddress, RAILS, type Rail, type RouteAddress } from '../route.ts'
import type { TimestampUs } from '../time/timestamp.ts'
import { walletKey } from '../wallet.ts'
import { lineFault } from '../words/text.ts'
import { ABOUT_FORMS, type StatementKind } from './words.ts'

export { needsText, SELLER_SAYS, STATEMENT_KINDS, type StatementKind } from './words.ts'

/** What a statement is about, read from its `about`. */
export type About =
  | { readonly what: 'review' | 'post'; readonly id: string }
  | { readonly what: 'host'; readonly host: SellerHost }
  | {
      readonly what: 'route'
      readonly method: Method
      readonly rail: Rail
      readonly address: RouteAddress
      /** Whose listing rows of the route are meant; `null`: the route itself. */
      readonly source: string | null
    }

export type AboutReading =
  | { readonly ok: true; readonly about: About }
  | { readonly ok: false; readonly reason: string }

export const LONGEST_ABOUT = 2500

const refused = (reason: string): AboutReading => ({ ok: false, reason })

/** What `about` names, of a statement of this kind on this host. Nothing is looked up yet. */
export function parseAbout(kind: StatementKind, text: string, host: SellerHost, allow: AllowHosts): AboutReading {
  const expected = `of a ${kind} it is ${ABOUT_FORMS[kind]}`
  if (lineFault(text, LONGEST_ABOUT) !== undefined)
    return refused(`it is one line of printable characters; ${expected}`)
  const about = read(kind, text, host, allow)
  return about === undefined ? refused(expected) : { ok: true, about }
}

function read(kind: StatementKind, text: string, host: SellerHost, allow: AllowHosts): About | undefined {
  switch (kind) {
    case 'reply':
      return writingIn(text)
    case 'correct':
      return routeIn(text, host, allow, true)
    case 'probe':
      return routeIn(text, host, allow, false)
    case 'retire':
      return ownHost(text, host) ?? routeIn(text, host, allow, false)
    case 'contact':
      return ownHost(text, host)
    case 'moved':
      return otherHost(text, host, allow)
  }
}

function writingIn(text: string): About | undefined {
  const [, what, id = ''] = /^(review|post) ([A-Za-z0-9_-]{1,100})$/.exec(text) ?? []
  return what === 'review' || what === 'post' ? { what, id } : undefined
}

const ownHost = (text: string, host: SellerHost): About | undefined =>
  text === host ? { what: 'host', host } : undefined

function otherHost(text: string, host: SellerHost, allow: AllowHosts): About | undefined {
  const reading = parseHost(text, allow)
  return reading.ok && reading.host === text && text !== host ? { what: 'host', host: text } : undefined
}

function routeIn(text: string, host: SellerHost, allow: AllowHosts, withSource: boolean): About | undefined {
  const [, written, url = '', named, source = null] = /^([A-Z]+) (\S+) (\S+)(?: (.{1,100}))?$/u.exec(text) ?? []
  const method = METHODS.find((known) => known === written)
  const rail = RAILS.find((known) => known === named)
  const reading = parseAddress(url, allow)
  if (method === undefined || rail === undefined || !reading.ok || reading.address.host !== host) return undefined
  if (source !== null && !withSource) return undefined
  return { what: 'route', method, rail, address: reading.address, source }
}

/** One wallet over one message is one statement, however often it is sent. */
export const statementId = (wallet: string, message: string): string =>
  sha256Hex(`statement\n${walletKey(wallet)}\n${sha256Hex(message)}`).slice(0, 32)

/** What of a statement decides whether something is retired. */
export interface Told {
  readonly id: string
  readonly kind: StatementKind
  readonly about: string
  /** `null`: it is about the host. */
  readonly routeId: number | null
  readonly atUs: TimestampUs
}

/** A host, or one of its routes, that its seller took out of sale. */
export interface Retirement {
  /** `null`: the whole host. */
  readonly routeId: number | null
  readonly sinceUs: TimestampUs
  readonly statementId: string
  /** Where the seller says that it went. */
  readonly movedTo: SellerHost | null
}

const inOrder = (a: Told, b: Told): number => a.atUs - b.atUs || (a.id < b.id ? -1 : 1)

/** What is retired after all that was told. Whoever asks for a probe sells again: it takes back what was said before. */
export function retirementsOf(told: readonly Told[]): readonly Retirement[] {
  const retired = new Map<number | null, Retirement>()
  for (const { id, kind, about, routeId, atUs } of told.toSorted(inOrder)) {
    const one = { sinceUs: atUs, statementId: id }
    if (kind === 'retire') retired.set(routeId, { ...one, routeId, movedTo: null })
    if (kind === 'moved') retired.set(null, { ...one, routeId: null, movedTo: about })
    if (kind === 'probe') for (const key of [routeId, null]) retired.delete(key)
  }
  return [...retired.values()]
}
