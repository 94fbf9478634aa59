import { invisibleFault } from './invisible.ts'

/**
 * Text from strangers that is stored and shown: well-formed Unicode without control characters (new line and tab are
 * taken), bidirectional controls, invisible tags, private use or noncharacters, that shows all it holds.
 */
const BIDI = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const CLASS = `[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${BIDI}\\u{e0000}-\\u{e007f}\\p{Co}\\p{Noncharacter_Code_Point}]`
const REFUSED = new RegExp(CLASS, 'u')
/** All of them, to be taken out of texts that are cleaned and not refused. */
export const UNSAFE = new RegExp(CLASS, 'gu')

export const LONGEST_TEXT = 4000

/** Why a text is refused, or `undefined` when it is fine. Length counts code points. */
export const textFault = (text: string, most: number = LONGEST_TEXT): string | undefined =>
  unsafeFault(text, most) ?? invisibleFault(text)

/** What no text may hold that is stored. Texts that were taken before invisible ones were refused are still read by it. */
export function unsafeFault(text: string, most: number = LONGEST_TEXT): string | undefined {
  if (!text.isWellFormed()) return 'the text is not well-formed Unicode'
  if (text === '') return 'the text is empty'
  if (text.length > most && [...text].length > most) return `the text is longer than ${most} characters`
  if (REFUSED.test(text)) return 'the text holds control, bidirectional, tag or private-use characters'
  return undefined
}

/** A name or short text that is printed inside one line: as above, without line breaks or outer spaces. */
export function lineFault(text: string, most: number, fault = textFault): string | undefined {
  if (/[\n\t\u2028\u2029]/.test(text) || text !== text.trim()) return 'the text holds line breaks or outer spaces'
  return fault(text, most)
}
