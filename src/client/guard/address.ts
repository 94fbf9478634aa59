import { LONGEST_PATH } from '../../domain/words/route-words.ts'
import { fieldOf, textOf } from './field.ts'

/**
 * The address of a text, an URL, a request or whatever else has one, in full where that can be known. Without what no
 * directory is told: fragment, name and password, and a query that is longer than any listed path.
 */
export function addressOf(input: unknown): string | undefined {
  const asked = textOf(input, fieldOf(input, 'url'), fieldOf(input, 'href'))
  const base = textOf(fieldOf(fieldOf(globalThis, 'location'), 'href'))
  if (asked === undefined || !URL.canParse(asked, base)) return asked
  const address = new URL(asked, base)
  address.hash = address.username = address.password = ''
  if (address.pathname.length + address.search.length > LONGEST_PATH) address.search = ''
  return address.href
}

/** One request of a program: what it asked for, and where it was led to. */
export interface Call {
  readonly url: string | undefined
  readonly answered?: string | undefined
  readonly method?: string | undefined
}

/** The calls of a program, by what is left of each: its answer, its challenge or what would pay for it. */
export type Calls = WeakMap<object, Call>

export const callOf = (input: unknown, init: unknown, answer: unknown): Call => ({
  url: addressOf(input),
  answered: textOf(fieldOf(answer, 'url')),
  method: textOf(fieldOf(init, 'method'), fieldOf(input, 'method'), 'GET'),
})

/** A fetch that remembers its calls. What asks for payment names its own in a header, for whoever reads the challenge. */
export const guardFetch =
  (fetch: typeof globalThis.fetch, calls: Calls, mark: string): typeof globalThis.fetch =>
  async (input, init) => {
    let answer = await fetch(input, init)
    const call = callOf(input, init, answer)
    if (answer.status === 402) {
      answer = new Response(answer.body, answer)
      answer.headers.set(mark, JSON.stringify(call))
    }
    calls.set(answer, call)
    return answer
  }
