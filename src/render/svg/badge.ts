import { resultOf } from '../../domain/now/now.ts'
import { RESULTS, summaryLine } from '../../domain/probe.ts'
import { dayOf, formatDay } from '../../domain/time/day.ts'
import type { RecentResults } from '../../views/recent-results.ts'
import { NEVER_PROBED, nowOrPast, PAST_MARKS } from '../now/now-words.ts'
import { percentOf } from '../now/percent.ts'
import { xmlText } from '../xml.ts'

const LABEL = 'tollbook'
const HEIGHT = 20
const PADDING = 7
/** Verdana and its like at 11 px, in tenths of a pixel: close enough, since the text is stretched to what is left for it. */
const NARROW = /[ .,:;|il1·'!ft()-]/
const widthOf = (text: string): number =>
  Math.round([...text].reduce((sum, character) => sum + (NARROW.test(character) ? 42 : 72), 0) / 10)

/** Colours that carry white text at 4.5 to 1 and stand out on light and dark alike. The words say what they say. */
const LABEL_FILL = '#3f4a50'
const NOTHING_FILL = '#5a656b'
const GOOD_FILL = '#0b5d4e'
const MIXED_FILL = '#8a4b08'
const BAD_FILL = '#a12622'
/** From this share of entries on, in percent, a badge is of the first colour. */
const GOOD_FROM = 95

const entriesOf = ({ results }: RecentResults): number => RESULTS.reduce((sum, result) => sum + results[result], 0)

const shareOf = (recent: RecentResults): number => percentOf(recent.results['402-correct'], entriesOf(recent))

const isFailing = ({ now }: RecentResults): boolean => now !== null && ['failed', 'unreachable'].includes(resultOf(now))

/** Of several routes some may be fine. */
const isPartly = ({ now }: RecentResults): boolean => now !== null && now.routes < now.of

/** What became of it, where it is no longer sold or listed: what it answered then is neither good nor bad now. */
const becameOf = ({ now, past = null }: RecentResults): string | null =>
  now !== null || past === null || past.became === 'unkept' ? null : PAST_MARKS[past.became]

const fillOf = (recent: RecentResults): string => {
  if (becameOf(recent) !== null) return NOTHING_FILL
  if (isFailing(recent)) return isPartly(recent) ? MIXED_FILL : BAD_FILL
  if (entriesOf(recent) === 0) return NOTHING_FILL
  const share = shareOf(recent)
  if (share === 0) return BAD_FILL
  return share >= GOOD_FROM ? GOOD_FILL : MIXED_FILL
}

const windowOf = ({ days }: RecentResults): string => (days === 1 ? 'today' : `${days} days`)

/** What the badge says, its window included: `402-correct 96% · 30 days`, and first since when it fails, or that it is retired. */
export function badgeMessage(recent: RecentResults): string {
  const { now } = recent
  const since = now !== null && isFailing(recent) ? formatDay(dayOf(now.sinceUs)) : null
  const some = now !== null && isPartly(recent) ? `${now.routes} of ${now.of} routes ` : ''
  const failing =
    since === null ? [] : [`${some}${now?.httpStatus === null ? 'unreachable' : 'failing'} since ${since}`]
  const share = entriesOf(recent) === 0 ? 'no probes' : `402-correct ${shareOf(recent)}%`
  const became = becameOf(recent)
  return [...(became === null ? [] : [became]), ...failing, share, windowOf(recent)].join(' · ')
}

/** The same with every class counted, for those who hear it or point at it. */
const titleOf = (recent: RecentResults): string => {
  const now = nowOrPast(recent)
  const line = now === NEVER_PROBED ? '' : ` ${now}.`
  return `${LABEL}: ${badgeMessage(recent)}. ${recent.host}:${line} ${summaryLine(recent.results)} in ${recent.days === 1 ? '1 day' : `${recent.days} days`} (UTC)`
}

export function badgeSvg(recent: RecentResults): string {
  const message = badgeMessage(recent)
  const [left, right] = [widthOf(LABEL) + 2 * PADDING, widthOf(message) + 2 * PADDING]
  const title = xmlText(titleOf(recent))
  const text = (at: number, width: number, words: string): string =>
    `<text x="${at + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${xmlText(words)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${title}"><title>${title}</title><clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_FILL}"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${fillOf(recent)}"/></g><g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(0, left, LABEL)}${text(left, right, message)}</g></svg>\n`
}

/** The endpoint schema of shields.io, for those who want its looks. */
export const badgeJson = (recent: RecentResults) => ({
  schemaVersion: 1,
  label: LABEL,
  message: badgeMessage(recent),
  color: fillOf(recent).slice(1),
  labelColor: LABEL_FILL.slice(1),
  cacheSeconds: 3600,
})
