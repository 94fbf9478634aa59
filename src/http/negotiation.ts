export const FORMATS = ['html', 'md', 'json'] as const
/** The representations of a view, in the order of this server's preference. */
export type Format = (typeof FORMATS)[number]

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  html: 'text/html',
  md: 'text/markdown',
  json: 'application/json',
}

export const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

interface Element {
  readonly name: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly q: number
}

/** Splits at `separator` outside of quoted strings. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (quoted && character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim())
}

// Old clients write `.2`, so the digit before the dot may be missing.
const WEIGHT = /^(?:0?(?:\.\d*)?|1(?:\.0*)?)$/

/** The elements of a weighted list; what cannot be read is left out, as if it had not been sent. */
function parseWeighted(header: string): Element[] {
  const elements: Element[] = []
  for (const part of splitOutsideQuotes(header, ',')) {
    const [name = '', ...rest] = splitOutsideQuotes(part, ';')
    if (name === '') continue
    const parameters: [string, string][] = []
    let q: number | undefined = 1
    for (const parameter of rest) {
      const equals = parameter.indexOf('=')
      if (equals < 1) continue
      const key = parameter.slice(0, equals).trim().toLowerCase()
      const value = parameter.slice(equals + 1).trim()
      if (key !== 'q') parameters.push([key, value.replaceAll('"', '').toLowerCase()])
      else q = value !== '' && value !== '.' && WEIGHT.test(value) ? Number(value) : undefined
    }
    if (q !== undefined) elements.push({ name: name.toLowerCase(), parameters, q })
  }
  return elements
}

interface Quality {
  readonly q: number
  /** 0: no range matched, 1: a wildcard for everything, 2: one for the whole type, 3: named. */
  readonly specificity: number
}

const UNMATCHED: Quality = { q: 0, specificity: 0 }

function mediaQuality(ranges: readonly Element[], mediaType: string): Quality {
  let best = UNMATCHED
  for (const range of ranges) {
    // Everything here is UTF-8; a range that asks for any other parameter names something else.
    if (!range.parameters.every(([name, value]) => name === 'charset' && value === 'utf-8')) continue
    const specificity =
      range.name === mediaType ? 3 : range.name === `${mediaType.split('/')[0]}/*` ? 2 : range.name === '*/*' ? 1 : 0
    if (specificity > best.specificity || (specificity > 0 && specificity === best.specificity && range.q > best.q)) {
      best = { q: range.q, specificity }
    }
  }
  return best
}

/**
 * RFC 9110 content negotiation. The highest weight wins; at equal weight a type that the client named wins over one
 * that a wildcard covers, then Markdown that is named, which no browser does, then the order of `offers`. `undefined`:
 * nothing on offer is acceptable.
 */
export function chooseFormat(accept: string | undefined, offers: readonly Format[] = FORMATS): Format | undefined {
  const isNamed = mediaQuality(parseWeighted(accept ?? ''), MEDIA_TYPES.md).specificity === 3
  const order = isNamed ? offers.toSorted((one, other) => Number(other === 'md') - Number(one === 'md')) : offers
  const chosen = chooseMedia(
    accept,
    order.map((offer) => MEDIA_TYPES[offer]),
  )
  return offers.find((offer) => MEDIA_TYPES[offer] === chosen)
}

/** The same for any media types. */
export function chooseMedia(accept: string | undefined, offers: readonly string[]): string | undefined {
  const ranges = parseWeighted(accept ?? '')
  if (ranges.length === 0) return offers[0]
  let chosen: string | undefined
  let best = UNMATCHED
  for (const offer of offers) {
    const quality = mediaQuality(ranges, offer)
    if (quality.q > best.q || (quality.q > 0 && quality.q === best.q && quality.specificity > best.specificity)) {
      chosen = offer
      best = quality
    }
  }
  return chosen
}

/** Whether errors are wanted as pages: `text/html` is named and neither JSON nor Markdown is wanted as much. A bare wildcard is no browser. */
export function prefersPage(accept: string | undefined): boolean {
  const ranges = parseWeighted(accept ?? '')
  const html = mediaQuality(ranges, MEDIA_TYPES.html)
  if (html.specificity < 3 || html.q === 0) return false
  return [MEDIA_TYPES.json, 'application/problem+json', MEDIA_TYPES.md].every((mediaType) => {
    const other = mediaQuality(ranges, mediaType)
    return html.q > other.q || (html.q === other.q && other.specificity < 3)
  })
}

/** Whether plain text is wanted more than JSON: by weight, then by being named. */
export function prefersPlain(accept: string | undefined): boolean {
  const ranges = parseWeighted(accept ?? '')
  const plain = mediaQuality(ranges, 'text/plain')
  const json = mediaQuality(ranges, MEDIA_TYPES.json)
  return plain.q > json.q || (plain.q > 0 && plain.q === json.q && plain.specificity > json.specificity)
}

const codingWeights = (header: string): ReadonlyMap<string, number> =>
  new Map(parseWeighted(header).map((element) => [element.name.replace(/^x-/, ''), element.q]))

/**
 * RFC 9110 Accept-Encoding. A coding that the client lists wins over plain bytes unless these are listed with a higher
 * weight; equal weights go by `CODINGS`. `undefined`: even plain bytes are refused.
 */
export function chooseCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return 'identity'
  const weights = codingWeights(header)
  const weight = (coding: Coding): number | undefined => weights.get(coding) ?? weights.get('*')
  const identity = weight('identity')
  let chosen: Coding | undefined
  let best = 0
  for (const coding of CODINGS) {
    const q = weight(coding) ?? 0
    if (q > best) {
      chosen = coding
      best = q
    }
  }
  return chosen ?? (identity === 0 ? undefined : 'identity')
}

/** Whether gzip is taken, and plain bytes are not wanted more. */
export function takesGzip(header: string | undefined): boolean {
  const weights = codingWeights(header ?? '')
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}
