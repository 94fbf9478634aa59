import { compareBytes } from './order.ts'
import { isTemplate } from './route.ts'

/** What `isTemplate` finds, in one segment, whatever its value has to be: `{id:[0-9]+}` takes anything here. */
const PARAMETER = new RegExp(
  [
    String.raw`\$?\{(?:[^{}/?&]|\{[^{}/?&]*\})*\}`,
    '%7B[^{}/?&%]*%7D',
    '<[^<>/?&]+>',
    '%3C(?:(?!%3[CE])[^/?&])+%3E',
    String.raw`(?<![a-z0-9:]):[a-z_](?:[a-z0-9_-]*[a-z0-9_])?(?:\([^()/?&]*\))?[*+]?`,
    String.raw`(?<![\w\]=])(?:\[|%5B){1,2}(?:\.{3})?[a-z_][\w=-]*(?:\]|%5D){1,2}`,
    String.raw`^\*{1,2}(?:[a-z_]\w*)?`,
    // Of a query nobody leaves open what is asked for.
    String.raw`(?<!=.*)\*{1,2}$`,
  ].join('|'),
  'gi',
)

/** Signs without which a segment has no parameter. */
const MAY_HOLD = /[:{%[*<]/

/** Whether one segment is what the template's segment leaves open: every parameter takes at least one character. */
function segmentFits(template: string, concrete: string): boolean {
  const [first = '', ...rest] = template.split(PARAMETER)
  const last = rest.pop()
  if (last === undefined) return template === concrete
  if (!concrete.startsWith(first)) return false
  let at = first.length
  for (const literal of rest) {
    const found = concrete.indexOf(literal, at + 1)
    if (found < 0) return false
    at = found + literal.length
  }
  return concrete.endsWith(last) && concrete.length - last.length > at
}

/**
 * In characters. A longer one stands for nothing: a seller may list thousands of templates, and each is tried at each call that
 * is not listed as it is.
 */
export const LONGEST_TEMPLATE = 256

const partsOf = (path: string): string[][] => {
  const [way = '', ...query] = path.split('?')
  return [way.split('/'), query.length === 0 ? [] : query.join('?').split('&')]
}

/** Whether a path is one of those that a listed template stands for. A parameter never reaches over `/`, `?` or `&`. */
export const templateFits = (template: string, path: string): boolean => fits(template, partsOf(path))

function fits(template: string, asked: readonly string[][]): boolean {
  if (template.length > LONGEST_TEMPLATE) return false
  const parts = partsOf(template)
  const every = (isSo: (segment: string, other: string) => boolean): boolean =>
    parts.every((segments, part) => segments.every((segment, i) => isSo(segment, asked[part]?.[i] ?? '')))
  return (
    parts.every((segments, part) => segments.length === asked[part]?.length) &&
    // What is cheap first: most templates of a host differ by a word.
    every((segment, other) => MAY_HOLD.test(segment) || segment === other) &&
    isTemplate(template) &&
    every(segmentFits)
  )
}

const parametersIn = (template: string): number =>
  template.split(/[/?&]/).filter((segment) => isTemplate(`/${segment}`)).length

/** The template that says most about the path: the one with the fewest parameters, then by bytes. */
export function bestTemplate(templates: readonly string[], path: string): string | undefined {
  const asked = partsOf(path)
  const fitting = templates.filter((template) => fits(template, asked))
  const open = new Map(fitting.map((template) => [template, parametersIn(template)]))
  return fitting.toSorted((a, b) => (open.get(a) ?? 0) - (open.get(b) ?? 0) || compareBytes(a, b))[0]
}

/** Characters that clients escape in addresses, and their escapes. That of `%` itself begins none, and no path holds controls. */
const BARE = /[^\x21-\x7e]|["<>\\^`|]/gu
const ESCAPES = /(?:%(?!25|[01]|7f)[0-9a-f]{2})+/gi

function decoded(escapes: string): string {
  try {
    return decodeURI(escapes)
  } catch {
    return escapes
  }
}

/** How one and the same request may be written, as it is first: `/é`, `/%C3%A9` and `/%c3%a9`, and no path for `/`. */
function spellings(path: string): readonly string[] {
  const escaped = path.toWellFormed().replace(BARE, encodeURIComponent)
  const forms = [
    path,
    escaped.replace(ESCAPES, (escapes) => escapes.toUpperCase()),
    escaped.replace(ESCAPES, (escapes) => escapes.toLowerCase()),
    escaped.replace(ESCAPES, decoded),
  ]
  return [...new Set(forms.flatMap((form) => [form, ...otherRoot(form)]))]
}

/** `/` for the empty path and back, with a query or without. */
function otherRoot(path: string): string[] {
  if (path === '' || path.startsWith('?')) return [`/${path}`]
  return path === '/' || path.startsWith('/?') ? [path.slice(1)] : []
}

const DOT = /^(?:\.|%2e)$/i
const DOTS = /^(?:\.|%2e){2}$/i

/** The path that clients ask for in place of one with segments of dots or `\`: `/v1/x` for `/v1/./x`, `/a/%2E./v1/x` and `/v1\x`. */
function straightened(path: string): string {
  const [way = ''] = path.split('?')
  const segments = way.split(/[/\\]/)
  const kept: string[] = []
  for (const [at, segment] of segments.entries()) {
    const isUp = DOTS.test(segment)
    if (isUp && kept.length > 1) kept.pop()
    if (!isUp && !DOT.test(segment)) kept.push(segment)
    else if (at === segments.length - 1) kept.push('')
  }
  return kept.join('/') + path.slice(way.length)
}

/**
 * The paths that a call of this path may be listed as, nearest first, each in all its spellings: it has a query of its own
 * where the listed path has none.
 */
export function listedPaths(path: string): readonly (readonly string[])[] {
  const asked = straightened(path)
  const [bare = ''] = asked.split('?')
  // Not every client takes `\` for `/`, and a source may list it.
  const written = path.includes('\\') ? [path] : []
  return [...new Set([asked, bare, ...written])].map(spellings)
}

/** Whether a call of this path is one of what is listed so, as a template or as it is. */
export function isListedAs(listed: string, path: string): boolean {
  const paths = listedPaths(path).flat()
  return paths.includes(listed) || paths.some((one) => templateFits(listed, one))
}
