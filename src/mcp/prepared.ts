import type { Rail } from '../domain/route.ts'
import { codeSpan, fenced } from '../render/markdown/quote.ts'

/** What to sign and how to send it. */
export interface Prepared {
  /** Dollars with six digits. */
  readonly cost: string
  readonly sign: {
    readonly scheme: 'eip191' | 'ed25519'
    readonly message: string
    readonly text_sha256?: string | undefined
    readonly signed_at: string
  } | null
  readonly send: readonly {
    readonly rail: Rail | null
    readonly method: 'POST'
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Readonly<Record<string, unknown>>
  }[]
  readonly steps: readonly string[]
}

export function preparedMarkdown({ cost, sign, send, steps }: Prepared): string {
  const blocks = [
    `Nothing was sent and nothing was spent. Sending costs ${cost} dollars.`,
    ...(sign === null
      ? ['There is nothing to sign.']
      : [`Sign exactly this (${sign.scheme}, no line feed at the end):`, fenced(sign.message)]),
    ...send.flatMap(({ rail, method, url, body }) => [
      `${rail === null ? 'Send' : `Send, paid through ${rail}`}: ${codeSpan(`${method} ${url}`)} with Content-Type application/json`,
      fenced(JSON.stringify(body, null, 2), 'json'),
    ]),
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}
