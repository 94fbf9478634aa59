/** One challenge of a `WWW-Authenticate` value: its scheme and its parameters by lower-case name. */
export interface AuthChallenge {
  readonly scheme: string
  readonly params: ReadonlyMap<string, string>
  /** Something in it is not of the form `name=value`, or a name comes twice. */
  readonly isMalformed: boolean
}

/** Cut at commas outside of quoted strings, in one pass. A quote that never closes takes the rest. */
function piecesOf(value: string): string[] {
  const pieces: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < value.length; at += 1) {
    const sign = value[at]
    if (quoted && sign === '\\') at += 1
    else if (sign === '"') quoted = !quoted
    else if (sign === ',' && !quoted) {
      pieces.push(value.slice(start, at).trim())
      start = at + 1
    }
  }
  pieces.push(value.slice(start).trim())
  return pieces.filter((piece) => piece !== '')
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const PARAM = new RegExp(`^(${TOKEN})[ \\t]*=[ \\t]*(.*)$`, 's')
const SCHEME = new RegExp(`^(${TOKEN})(?:[ \\t]+(.*))?$`, 's')
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s

/** A quoted string without its quotes and escapes, or the bare value; `undefined` for a quote that does not close. */
function unquoted(text: string): string | undefined {
  if (!text.startsWith('"')) return text
  const inner = QUOTED.exec(text)?.[1]
  return inner?.replace(/\\(.)/gs, '$1')
}

/**
 * All challenges of one header line, which may hold several schemes. A piece `name=value` belongs to the scheme before
 * it; any other piece begins a scheme, with its first parameter or a token behind it.
 */
export function parseWwwAuthenticate(value: string): AuthChallenge[] {
  const challenges: { scheme: string; params: Map<string, string>; isMalformed: boolean }[] = []
  const take = (piece: string): void => {
    const current = challenges.at(-1)
    const param = PARAM.exec(piece)
    if (param && current) {
      const name = param[1]?.toLowerCase() ?? ''
      const text = unquoted(param[2] ?? '')
      if (text === undefined || current.params.has(name)) current.isMalformed = true
      else current.params.set(name, text)
      return
    }
    const scheme = param ? null : SCHEME.exec(piece)
    if (!scheme) {
      if (current) current.isMalformed = true
      return
    }
    challenges.push({ scheme: scheme[1] ?? '', params: new Map(), isMalformed: false })
    // A token behind the scheme (`Negotiate abc==`) is no parameter and no concern of ours.
    if (scheme[2] !== undefined && PARAM.test(scheme[2])) take(scheme[2])
  }
  for (const piece of piecesOf(value)) take(piece)
  return challenges
}
