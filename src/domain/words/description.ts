import { revealed } from './invisible.ts'
import { UNSAFE } from './text.ts'

/** In code points: what a listing source says of a route is shown and found by this much of it. */
export const LONGEST_DESCRIPTION = 500
/** In UTF-16 units. Sources send whole documents here; nothing behind this is looked at. */
const MOST_READ = 4 * LONGEST_DESCRIPTION

/** Marks on one letter, and what joins them. No writing has more; in a run of hundreds they cover what stands above. */
const STACKED = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu

/** What one listing source says of a route in words: a stranger's text, quoted wherever it is shown. */
export interface Description {
  readonly source: string
  readonly text: string
}

/**
 * A stranger's text as one line that is safe to store: well-formed, without control, bidirectional, tag or private-use
 * characters and without hidden or stacked ones, cut at its bound. `null`: nothing is left of it.
 */
export function cleanDescription(written: string): string | null {
  const text = revealed(written.slice(0, MOST_READ).toWellFormed().replace(/\s+/gu, ' ').replace(UNSAFE, ''))
    .replace(STACKED, '$1')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (text === '') return null
  if (text.length <= LONGEST_DESCRIPTION) return text
  const points = [...text]
  if (points.length <= LONGEST_DESCRIPTION) return text
  return `${points
    .slice(0, LONGEST_DESCRIPTION - 1)
    .join('')
    .trimEnd()}…`
}

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()

/** Whether a text says no more than how the host is called, which stands beside it wherever it is shown. */
export const isNameAlone = (text: string, host: string): boolean => letters(text) === letters(host)

/** Several texts about one route as one, in the order in which they say most; what says nothing new is left out. */
export function joinDescriptions(parts: readonly (string | undefined)[]): string | undefined {
  const kept: string[] = []
  let said = ''
  for (const part of parts) {
    const text = part?.slice(0, MOST_READ).trim() ?? ''
    const own = letters(text)
    if (own === '' || said.includes(own)) continue
    kept.push(text)
    said += `\n${own}`
  }
  return kept.length === 0 ? undefined : kept.join(' · ')
}
