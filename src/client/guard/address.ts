import { fieldOf, textOf } from './field.ts'

/** The address that a program asks for, in full where that can be known. */
export function addressOf(input: unknown): string | undefined {
  const asked = input instanceof URL ? input.href : (textOf(input) ?? textOf(fieldOf(input, 'url')))
  const base = String(fieldOf(globalThis, 'location'))
  return asked !== undefined && URL.canParse(asked, base) ? new URL(asked, base).href : asked
}

/** A fetch whose 402 answers do not hide where they were asked for behind a redirect: `led` is told where it led to. */
export const guardFetch =
  (fetch: typeof globalThis.fetch, led: (asked: string, answered: string) => void): typeof globalThis.fetch =>
  async (input, init) => {
    const asked = addressOf(input)
    const answer = await fetch(input, init)
    if (answer.status !== 402 || !asked) return answer
    led(asked, answer.url)
    // An answer without an address of its own is taken for one of the request's.
    return answer.url === asked ? answer : new Response(answer.body, answer)
  }
