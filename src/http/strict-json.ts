export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string }

const DEEPEST_JSON = 10

/** JSON.parse that also refuses deep nesting and a key given twice, of which it would silently keep the last. */
export function parseStrictJson(text: string): JsonReading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'the body is not JSON' }
  }
  const fault = structureFault(text)
  return fault === undefined ? { ok: true, value } : { ok: false, reason: fault }
}

/** Strings (as one token each, so that brackets inside them do not count) and the characters that make structure. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs

/** Walks the tokens of a text that is known to be JSON. */
function structureFault(text: string): string | undefined {
  // One set of keys for each open object, `null` for each open array.
  const open: (Set<string> | null)[] = []
  let before = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null)
      if (open.length > DEEPEST_JSON) return `the body is nested more than ${DEEPEST_JSON} levels deep`
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      // Written differently (`"a"`, `"\u0061"`) it is still the same key.
      const key: unknown = JSON.parse(before)
      const keys = open.at(-1)
      if (typeof key !== 'string' || !keys) continue
      if (keys.has(key)) return `the body names the field ${JSON.stringify(key.slice(0, 50))} twice`
      keys.add(key)
    }
    before = token
  }
  return undefined
}
