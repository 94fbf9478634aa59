import { RESULTS, summaryLine } from '../../domain/probe.ts'
import type { RecentResults } from '../../views/catalogue.ts'
import { xmlText } from '../xml.ts'

const LABEL = 'tollbook'
const HEIGHT = 20
const PADDING = 7
/** Verdana and its like at 11 px, in tenths of a pixel: close enough, since the text is stretched to what is left for it. */
const NARROW = /[ .,:;|il1·'!ft()-]/
const widthOf = (text: string): number =>
  Math.round([...text].reduce((sum, character) => sum + (NARROW.test(character) ? 42 : 72), 0) / 10)

/** Colours that carry white text at 4.5 to 1 and stand out on light and dark alike; none of them says good or bad. */
const LABEL_FILL = '#3f4a50'
const MESSAGE_FILL = '#0b5d4e'
const NOTHING_FILL = '#5a656b'

const entriesOf = ({ results }: RecentResults): number => RESULTS.reduce((sum, result) => sum + results[result], 0)

/** Whole percent; never 100 while one entry was of another class, never 0 while one was of this. */
export function percentOf(part: number, whole: number): number {
  const rounded = Math.round((part / whole) * 100)
  if (part < whole && rounded === 100) return 99
  return part > 0 && rounded === 0 ? 1 : rounded
}

/** What the badge says, its window included: `402-correct 96% · 30 days`. */
export function badgeMessage(recent: RecentResults): string {
  const entries = entriesOf(recent)
  const share = entries === 0 ? 'no probes' : `402-correct ${percentOf(recent.results['402-correct'], entries)}%`
  return `${share} · ${recent.days} days`
}

/** The same with every class counted, for those who hear it or point at it. */
const titleOf = (recent: RecentResults): string =>
  `${LABEL}: ${badgeMessage(recent)}. ${recent.host}: ${summaryLine(recent.results)} in ${recent.days} days (UTC)`

export function badgeSvg(recent: RecentResults): string {
  const message = badgeMessage(recent)
  const [left, right] = [widthOf(LABEL) + 2 * PADDING, widthOf(message) + 2 * PADDING]
  const title = xmlText(titleOf(recent))
  const text = (at: number, width: number, words: string): string =>
    `<text x="${at + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${xmlText(words)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${title}"><title>${title}</title><clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_FILL}"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${entriesOf(recent) === 0 ? NOTHING_FILL : MESSAGE_FILL}"/></g><g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(0, left, LABEL)}${text(left, right, message)}</g></svg>\n`
}

/** The endpoint schema of shields.io, for those who want its looks. */
export const badgeJson = (recent: RecentResults) => ({
  schemaVersion: 1,
  label: LABEL,
  message: badgeMessage(recent),
  color: (entriesOf(recent) === 0 ? NOTHING_FILL : MESSAGE_FILL).slice(1),
  labelColor: LABEL_FILL.slice(1),
  cacheSeconds: 3600,
})
