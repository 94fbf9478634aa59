import { readTarget } from './egress/target.ts'

/** One line of a robots.txt that concerns us: what it is about, and whether that is allowed. */
export interface RobotsRule {
  readonly allow: boolean
  /** In one spelling; `*` is any text, a `$` at the end is the end of the path. */
  readonly pattern: string
}

/** Our own product token. Groups for `*` are for crawlers: see `docs/decisions/005-robots-with-our-own-token.md`. */
const ROBOTS_TOKEN = 'tollbook'

/** RFC 9309 asks for at least 500 KiB to be read. */
export const ROBOTS_BYTES = 500 * 1024
/** Kept with the host and held against every path of it, so bounded whatever a stranger writes. */
const MOST_RULES = 100
const LONGEST_PATTERN = 200

/** The rules of every group that names our token (RFC 9309); none when nobody speaks to us. */
export function parseRobots(text: string): RobotsRule[] {
  const rules: RobotsRule[] = []
  let isOurs = false
  let inAgents = false
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^[\t ]*([A-Za-z-]+)[\t ]*:([^#]*)/.exec(line) ?? []
    switch (key.toLowerCase()) {
      case 'user-agent':
        isOurs = (inAgents && isOurs) || productOf(value) === ROBOTS_TOKEN
        inAgents = true
        break
      case 'allow':
      case 'disallow':
        inAgents = false
        if (isOurs && rules.length < MOST_RULES) rules.push(...ruleOf(key.toLowerCase() === 'allow', value.trim()))
    }
  }
  return rules
}

/** An empty pattern matches nothing. Of one that is too long the beginning stands, where that can only forbid more. */
function ruleOf(allow: boolean, pattern: string): RobotsRule[] {
  if (pattern === '' || (allow && pattern.length > LONGEST_PATTERN)) return []
  return [{ allow, pattern: normal(pattern.slice(0, LONGEST_PATTERN)) }]
}

/** `Tollbook/1.0 (…)` names the product `tollbook`. */
const productOf = (value: string): string => /^[A-Za-z_-]*/.exec(value.trim())?.[0].toLowerCase() ?? ''

/**
 * The longest rule that matches decides, `Allow` among equals; without one the path is allowed. Rules are held against what
 * is sent for the path as it is listed: `/pub/../admin` goes out as `/admin`.
 */
export function isAllowed(rules: readonly RobotsRule[], path: string): boolean {
  if (rules.length === 0) return true
  const target = normal(sentFor(path))
  let best: { readonly allow: boolean; readonly length: number } | undefined
  for (const { allow, pattern } of rules) {
    if (!matches(pattern, target)) continue
    const { length } = pattern
    if (!best || length > best.length || (length === best.length && allow)) best = { allow, length }
  }
  return best?.allow ?? true
}

/** The same at every host. */
const sentFor = (path: string): string => readTarget(`https://host${path.startsWith('/') ? '' : '/'}${path}`).path

/** What is encoded on the way to a host, in the path or in the query; also what stands in no address at all. */
const ENCODED = /[^\x21-\x7e]|["'<>\\^`{|}]/gu

/** One spelling per path: these characters encoded, unreserved ones plain, digits of the rest in upper case. */
function normal(text: string): string {
  const encoded = text.toWellFormed().replace(ENCODED, encodedAs)
  return encoded.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : octet.toUpperCase()
  })
}

/** `encodeURIComponent` leaves the apostrophe. */
const encodedAs = (character: string): string => (character === "'" ? '%27' : encodeURIComponent(character))

/** Whether the path begins with the pattern; without a regular expression, which a stranger could make slow. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = rest.pop()
  if (last === undefined) return !isWhole || at === path.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1
}
