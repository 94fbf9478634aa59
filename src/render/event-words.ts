import { type EventKind, isEventKind } from '../domain/event.ts'
import { STATEMENT_KINDS, type StatementKind } from '../domain/seller/words.ts'
import type { EventView } from '../views/events/events-view.ts'
import { hostHref, postHref, reviewHref, routeHref, statementHref } from './site.ts'
import { networkText } from './values.ts'

/** What happened, in the directory's own words alone: fit for titles. */
const TITLES: Readonly<Record<EventKind, string>> = {
  route_appeared: 'Route appeared',
  route_unlisted: 'Route no longer listed',
  price_changed: 'Price changed',
  probe_status_changed: 'Probe status changed',
  class_changed: 'Probe result changed',
  vantage_changed: 'Seen differently from another place',
  signed_offer_changed: 'Signed offer changed',
  review: 'Review',
  review_level_changed: 'Support level of a review changed',
  review_counting_changed: 'Counting of a review changed',
  review_payment_final: 'Payment behind a review is final',
  review_hidden: 'Review hidden',
  post: 'Post in the thread',
  post_hidden: 'Post hidden',
  claim_proven: 'A seller proved to speak for the host',
  claim_ended: 'A proof of the seller does not hold any more',
  statement: 'The seller says something',
  statement_hidden: 'Statement of the seller hidden',
}

/** What a seller does by what it says: who follows a host reads it in the title that it is not sold any more. */
const SAID: Readonly<Record<StatementKind, string>> = {
  reply: 'The seller answers',
  correct: 'The seller disputes what is listed',
  retire: 'The seller retires the host',
  moved: 'The seller says that the host moved',
  contact: 'The seller says how to reach it',
  probe: 'The seller asks for a probe',
}

function saidTitle({ route, data }: EventView): string {
  const kind = STATEMENT_KINDS.find((one) => one === data.says)
  if (kind === 'retire' && route !== null) return 'The seller retires a route'
  return kind === undefined ? TITLES.statement : SAID[kind]
}

export function eventTitle(event: EventView): string {
  const { kind, host } = event
  const title = kind === 'statement' ? saidTitle(event) : isEventKind(kind) ? TITLES[kind] : 'Something changed'
  return `${title}: ${host}`
}

const known = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'no data'

const on = (network: unknown): string => (typeof network === 'string' ? ` on ${networkText(network)}` : '')

const change = ({ data }: EventView): string => `${known(data.from)} → ${known(data.to)}`

/** The details as plain text. Holds addresses and names that strangers chose: never markup. */
export function eventText(event: EventView): string {
  const { route, data } = event
  const where = route === null ? [] : [`${route.method} ${route.address} (${route.rail})`]
  return [...where, ...details(event), ...(typeof data.reason === 'string' ? [`Reason: ${data.reason}`] : [])].join(
    '\n',
  )
}

function details(event: EventView): string[] {
  const { kind, data } = event
  switch (kind) {
    case 'route_appeared':
      return [
        `Price: ${known(data.price)}`,
        `Network: ${networkText(typeof data.network === 'string' ? data.network : null)}`,
      ]
    case 'route_unlisted':
      return [`No listing source names it any more; the last one that did: ${known(data.source)}`]
    case 'price_changed':
      // Announcements from before sources were named have none.
      return typeof data.source === 'string'
        ? [`Price that ${data.source} states${on(data.network)}: ${change(event)}`]
        : [`Price: ${change(event)}`]
    case 'probe_status_changed':
      return [`Probe status: ${change(event)}`]
    case 'class_changed':
      return [
        `Newest probe result: ${change(event)}${typeof data.vantage === 'string' ? `, from ${data.vantage}` : ''}`,
      ]
    case 'vantage_changed':
      return [`From ${known(data.vantage)}: ${change(event)}`, `Now: ${known(data.line)}`]
    case 'signed_offer_changed':
      return [`Signed offer: ${change(event)}`]
    case 'review_level_changed':
      return [`Support level: ${change(event)}`]
    case 'review_counting_changed':
      return [`Counted: ${change(event)}`]
    case 'claim_proven':
    case 'claim_ended':
      return [`Wallet: ${known(data.claim)}`, `Proof: ${known(data.proof)}`]
    case 'post':
      return typeof data.rail === 'string' ? [`Paid through ${data.rail}`] : []
    case 'statement':
      return [`Kind: ${known(data.says)}`]
    default:
      return []
  }
}

/** Where to read on. */
export function eventHref({ host, route, data }: EventView): string {
  if (typeof data.review === 'string') return reviewHref(data.review)
  if (typeof data.post === 'string') return postHref(data.post)
  if (typeof data.statement === 'string') return statementHref(data.statement)
  return route === null ? hostHref(host) : routeHref(host, route)
}
