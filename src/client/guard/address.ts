import { fieldOf, textOf } from './field.ts'

/** The address that a program asks for, in full where that can be known. */
export function addressOf(input: unknown): string | undefined {
  const asked = input instanceof URL ? input.href : (textOf(input) ?? textOf(fieldOf(input, 'url')))
  const base = String(fieldOf(globalThis, 'location'))
  return asked !== undefined && URL.canParse(asked, base) ? new URL(asked, base).href : asked
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

export const leadsAway = (asked: string | undefined, answered: string | undefined): boolean =>
  asked !== undefined && answered !== undefined && hostOf(asked) !== hostOf(answered)

/** Of an answer its own address; but a host that leads buyers to another one is held to what is known of itself. */
export const heldTo = (asked: string | undefined, answered: string | undefined): string | undefined =>
  leadsAway(asked, answered) ? asked : (answered ?? asked)

/** A fetch whose 402 answers do not hide where they were asked for behind a redirect to another host. */
export const guardFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const asked = addressOf(input)
    const answer = await fetch(input, init)
    // An answer without an address of its own is taken for one of the request's.
    return answer.status === 402 && leadsAway(asked, textOf(answer.url)) ? new Response(answer.body, answer) : answer
  }
