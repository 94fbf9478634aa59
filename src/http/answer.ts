import type { ServerResponse } from 'node:http'
import { CORS } from './cors.ts'

/** A whole answer, not yet sent. Headers that every answer has are set by the server beforehand. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** On every answer, cached ones too. */
export const EVERY_ANSWER = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...CORS,
} as const

export const textAnswer = (
  status: number,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { 'Content-Type': `${contentType}; charset=utf-8`, 'Cache-Control': 'no-cache', ...headers },
  body: Buffer.from(text),
})

/** One line. */
export const jsonText = (document: unknown): string => `${JSON.stringify(document)}\n`

export const jsonAnswer = (status: number, document: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  textAnswer(status, 'application/json', jsonText(document), headers)

const withLength = (answer: Answer): Record<string, string> => ({
  ...answer.headers,
  'Content-Length': String(answer.body.byteLength),
})

export const toResponse = (answer: Answer): Response =>
  new Response(answer.body, { status: answer.status, headers: withLength(answer) })

/** Sends an answer past the application. The caller ends the response: it may first have a body to read away. */
export function writeAnswer(outgoing: ServerResponse, answer: Answer, method: string | undefined): void {
  outgoing.writeHead(answer.status, withLength(answer))
  if (method !== 'HEAD') outgoing.write(answer.body)
}
