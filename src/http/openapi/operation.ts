import type { z } from 'zod'
import type { ProblemSlug } from '../../domain/problem-kinds.ts'
import type { Rail } from '../../domain/route.ts'
import type { OpenapiMethod } from '../../wire/openapi.ts'
import type { ComponentName } from './components.ts'

export const TAGS = {
  Hosts: 'Seller hosts, their routes, probe entries and reviews',
  Reviews: 'Reviews: read, sign and submit',
  Threads: 'Buyer discussion threads: read, sign, pay and post',
  Sellers: 'Sellers: prove that a host is yours, answer, correct, retire',
  Following: 'What changed: announcements, feeds, badges',
  Log: 'The evidence log: every number that is shown, provable by a stranger',
  Directory: 'How this directory is run',
  Agents: 'Made for programs that read: this document, llms.txt, MCP',
  Operating: 'For whoever watches the program',
} as const
export type Tag = keyof typeof TAGS

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: z.ZodType
  /** Names something in the sample world that tests fill a server with. */
  readonly example?: string
  /** Of a header that pays. */
  readonly isCredential?: true
}

/** A named schema for JSON, `text` for everything that is no JSON. */
export type Body = ComponentName | 'text' | 'json'

export interface AnswerForm {
  readonly description: string
  readonly content?: Readonly<Record<string, Body>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The words of an endpoint: the document, its page and the tests that drive it are made from these. */
export interface Operation {
  readonly method: OpenapiMethod
  /** With parameters as `{name}`. */
  readonly path: string
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly body?: { readonly schema: ComponentName | 'json'; readonly example?: unknown }
  readonly answers: Readonly<Record<number, AnswerForm>>
  readonly problems?: readonly ProblemSlug[]
  /** Answers with an ETag, and 304 to whoever has it already. */
  readonly isCached?: boolean
  /** What it is paid through. */
  readonly paidThrough?: Rail
}

export const json = (name: Body, description: string): AnswerForm => ({
  description,
  content: { 'application/json': name },
})

export const text = (mediaType: string, description: string): AnswerForm => ({
  description,
  content: { [mediaType]: 'text' },
})

/** Of whatever there is in several representations. */
export const LINK = { Link: 'The other representations, as rel="alternate"' }

/** One thing in several representations. */
export const forms = (
  content: Readonly<Partial<Record<'html' | 'md', 'text'> & Record<'json', ComponentName>>>,
  description: string,
): AnswerForm => ({
  description,
  headers: LINK,
  content: {
    ...(content.json && { 'application/json': content.json }),
    ...(content.md && { 'text/markdown': content.md }),
    ...(content.html && { 'text/html': content.html }),
  },
})
