import type { IncomingMessage } from 'node:http'

/**
 * Pages of every origin may read and write. That gives nobody anything that a program without a browser does not have:
 * there are no cookies and no sessions, and whoever writes signs what it writes. So credentials of the browser are never
 * allowed (`Access-Control-Allow-Credentials` is not sent), and `*` means just that.
 */
const SHOWN = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'WWW-Authenticate',
  'Payment-Receipt',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Location',
  'Link',
  'ETag',
  'Age',
  'Warning',
  'X-Request-Id',
]

/** On every answer: what a page of another origin may read of it beside the body. */
export const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': SHOWN.join(', '),
} as const

const DAY_S = 86_400

export const isPreflight = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** What a browser asks before it sends what a form could not. The wildcard does not cover `Authorization`. */
export const preflightAnswer = (methods: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'Authorization, *',
      'Access-Control-Max-Age': String(DAY_S),
    },
  })
