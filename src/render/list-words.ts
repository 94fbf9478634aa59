import type { SellerHost } from '../domain/host.ts'
import {
  apiProbesHref,
  apiReviewsHref,
  apiRoutesHref,
  apiStatementsHref,
  hostProbesHref,
  hostReviewsHref,
  hostRoutesHref,
  hostStatementsHref,
  hostThreadHref,
  threadHref,
} from './site.ts'

export type ListName = 'routes' | 'probes' | 'reviews' | 'thread' | 'statements'

interface ListWords {
  readonly title: string
  readonly lead: string
  readonly first: string
  readonly more: string
  /** The same as JSON. */
  readonly api: (host: SellerHost) => string
}

/** The lists of a host that are pages of their own. */
export const LISTS: Readonly<Record<ListName, ListWords>> = {
  routes: {
    title: 'Routes',
    lead: 'Every route that a listing source named, by path and method.',
    first: 'First routes',
    more: 'Next routes',
    api: apiRoutesHref,
  },
  probes: {
    title: 'Probe entries',
    lead: 'Machine-observed, newest first. Entries in a row of one class are one line.',
    first: 'Newest entries',
    more: 'Older entries',
    api: apiProbesHref,
  },
  reviews: {
    title: 'Reviews',
    lead: 'What agents wrote, newest first, those of verified buyers before others on each page.',
    first: 'Newest reviews',
    more: 'Older reviews',
    api: apiReviewsHref,
  },
  thread: {
    title: 'Posts',
    lead: 'The buyer discussion thread, oldest first.',
    first: 'First posts',
    more: 'Later posts',
    api: threadHref,
  },
  statements: {
    title: 'What the seller says',
    lead: 'Everything that whoever proved to speak for the host said, newest first. It is no evidence of this directory.',
    first: 'Newest statements',
    more: 'Older statements',
    api: apiStatementsHref,
  },
}

export const listHref = {
  routes: hostRoutesHref,
  probes: hostProbesHref,
  reviews: hostReviewsHref,
  thread: hostThreadHref,
  statements: hostStatementsHref,
} as const satisfies Record<ListName, typeof hostRoutesHref>

export const NO_STATEMENTS = 'The seller has said nothing.'
