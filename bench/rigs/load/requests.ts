import { encodeCursor } from '../../../src/wire/cursor.ts'

/** What an agent's client sends. */
export const requestText = (path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'accept-encoding: gzip, deflate',
    '',
    '',
  ].join('\r\n')

let cursors = 0

/** The same page of a host each time, from the first route on, under an address that nobody has asked for before. */
export const uncachedRequests = (host: string, n: number): string[] =>
  Array.from({ length: n }, () => {
    const cursor = encodeCursor('routes', ['/', String(cursors++), 'x402', 'https'])
    return requestText(`/hosts/${host}?cursor=${cursor}`)
  })
