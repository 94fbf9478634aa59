import { resultOf } from '../../domain/now/now.ts'
import { RESULTS } from '../../domain/probe.ts'
import type { RecentResults } from '../../views/recent-results.ts'
import { nowOrPast, requestedLine } from '../now/now-words.ts'
import { PRODUCT, TAGLINE } from '../words.ts'
import { xmlText } from '../xml.ts'

const WIDTH = 1200
const HEIGHT = 630
const FILL = { '402-correct': '#2b5cc0', answers: '#1f7a47', failed: '#b04a12', unreachable: '#6d6382' } as const
/** Characters that fit into the width at each size. */
const LONGEST = { name: 30, line: 66 } as const

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** One bar: what share of the window each class has, side by side. */
function shares(recent: RecentResults): string {
  const total = RESULTS.reduce((sum, result) => sum + recent.results[result], 0)
  let x = 80
  return RESULTS.map((result) => {
    const width = total === 0 ? 0 : (recent.results[result] / total) * (WIDTH - 160)
    const bar =
      width === 0
        ? ''
        : `<rect x="${x.toFixed(1)}" y="430" width="${width.toFixed(1)}" height="56" fill="${FILL[result]}"/>`
    x += width
    return bar
  }).join('')
}

/** What those see who share the page of a host. */
export function hostPicture(recent: RecentResults): string {
  const now = nowOrPast(recent)
  const colour = recent.now === null ? '#5a564e' : FILL[resultOf(recent.now)]
  const window = recent.days === 1 ? 'today' : `in ${recent.days} days`
  const text = (y: number, size: number, words: string, more: string): string =>
    `<text x="80" y="${y}" font-size="${size}" ${more}>${xmlText(words)}</text>`
  const label = xmlText(`${recent.host}: ${now}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">`,
    `<title>${label}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fbfaf8"/>`,
    `<rect width="${WIDTH}" height="16" fill="${colour}"/>`,
    '<g font-family="system-ui,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif">',
    text(110, 34, PRODUCT, 'fill="#0b5d4e" font-weight="700"'),
    text(230, 64, cut(recent.host, LONGEST.name), 'fill="#1c1b19" font-weight="700"'),
    ...now
      .split('; ')
      .map((part, at) => text(295 + 42 * at, 30, cut(part, LONGEST.line), `fill="${colour}" font-weight="600"`)),
    text(400, 28, cut(`${requestedLine(recent.results)} ${window}`, LONGEST.line), 'fill="#5a564e"'),
    shares(recent),
    text(570, 26, TAGLINE, 'fill="#5a564e"'),
    '</g></svg>\n',
  ].join('')
}
