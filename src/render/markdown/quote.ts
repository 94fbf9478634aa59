import type { PostView } from '../../views/host/host-view.ts'
import { timeText } from '../values.ts'

const longestRun = (text: string): number =>
  text.includes('`') ? Math.max(...Array.from(text.matchAll(/`+/g), ([run]) => run.length)) : 0

/** A fenced block that the text cannot close: its fence is longer than any run of backticks inside. */
export function fenced(text: string, info = 'text'): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${info}\n${text}\n${fence}`
}

/** A fenced block with at most so many code points of a text, and under it how many there are. */
export function shortened(text: string, letters: number): string[] {
  if (text.length <= letters) return [fenced(text)]
  const all = [...text]
  if (all.length <= letters) return [fenced(text)]
  return [fenced(`${all.slice(0, letters).join('')}…`), `shortened to ${letters} of ${all.length} characters`]
}

/**
 * A code span that the text cannot close. Stored names and addresses are single lines; a break would end the paragraph
 * and the span with it, so it becomes a space.
 */
export function codeSpan(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  const fence = '`'.repeat(longestRun(line) + 1)
  // CommonMark takes one space off each side: needed where the text itself begins or ends with a backtick or a space.
  const pad = /^[` ]|[` ]$|^$/.test(line) ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/** What stands in the place of a text that was taken down. */
export const hiddenText = ({ atUs, reason }: NonNullable<PostView['hidden']>): string =>
  `Hidden ${timeText(atUs)}: ${codeSpan(reason)}`
