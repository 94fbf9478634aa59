/** Joins, splits or varies what stands around it and is not seen itself. */
const VARIATION = '\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}'

/** Letters that look like nothing, and signs that no text of people needs: they hide bytes or imitate an empty text. */
const BLANK = '\\u3164\\uffa0\\u17b4\\u17b5\\u2061-\\u2065\\u206a-\\u206f\\ufff9-\\ufffb'
const NEEDLESS = `${BLANK}\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}`
const ANY_NEEDLESS = new RegExp(`[${NEEDLESS}]`, 'u')

/** What a variation selector may follow: emoji and signs, ideographs, and the scripts that have variants. */
const STRAY_SELECTORS = [
  /(?<![\p{Emoji}\p{S}\p{P}\p{Script=Han}])[\ufe0e\ufe0f]/u,
  /(?<![\p{Sm}\p{P}\p{Emoji}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}\p{Script=Hiragana}\p{Script=Katakana}])[\ufe00-\ufe0d]/u,
  /(?<!\p{Script=Mongolian})[\u180b-\u180d\u180f]/u,
  /(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/u,
]
/** Some scripts count selectors as their own, so that one would excuse the next. */
const TWO_SELECTORS = new RegExp(`[${VARIATION}]{2}`, 'u')

/** Two happen: a selector before the joiner of an emoji, a joiner that was typed twice. */
const LONG_RUN = /\p{Default_Ignorable_Code_Point}{3}/u

/** Scripts that are written with joiners or with invisible spaces, and emoji. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Phags_Pa', 'Nko', 'Adlam', 'Hanifi_Rohingya', 'Mandaic'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Javanese', 'Balinese', 'Hangul'],
]
const STRAY = new RegExp(
  `(?<![${JOINING.map((script) => `\\p{Script=${script}}`).join('')}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])[\\u00ad\\u034f\\u115f\\u1160\\u180e\\u200b-\\u200d\\u2060\\ufeff]`,
  'gu',
)
/** Copied and hyphenated texts bring some along; one between each few letters is a message of its own. */
const MOST_STRAY = 4
const LETTERS_PER_STRAY = 8

/** A letter, digit, sign or piece of punctuation that leaves ink. U+2800 is the blank of Braille. */
const INK = new RegExp(
  `(?![\\u2800\\p{Default_Ignorable_Code_Point}${NEEDLESS}])[\\p{L}\\p{N}\\p{P}\\p{S}\\p{Extended_Pictographic}]`,
  'u',
)

/** Why a text cannot be read as it looks, or `undefined` when nothing is hidden in it. */
export function invisibleFault(text: string): string | undefined {
  if (!INK.test(text)) return 'the text shows nothing'
  if (ANY_NEEDLESS.test(text) || TWO_SELECTORS.test(text) || LONG_RUN.test(text)) return HIDDEN
  if (STRAY_SELECTORS.some((stray) => stray.test(text))) return HIDDEN
  const stray = text.match(STRAY)?.length ?? 0
  return stray > MOST_STRAY && stray * LETTERS_PER_STRAY > text.length ? HIDDEN : undefined
}

const HIDDEN = 'the text holds invisible characters that no writing needs'

const EVERY_INVISIBLE = new RegExp(`[\\p{Default_Ignorable_Code_Point}${NEEDLESS}]`, 'gu')

/** A text that is cleaned and not refused: without what hides in it, and empty when it shows nothing. */
export function revealed(text: string): string {
  if (!INK.test(text)) return ''
  return invisibleFault(text) === undefined ? text : text.replace(EVERY_INVISIBLE, '')
}

/** Blank or unseen signs of every kind, those that each font draws otherwise, and marks that are stacked on one letter. */
const UNSEEN = new RegExp(`[\\p{Default_Ignorable_Code_Point}${NEEDLESS}\\u2800\\p{Co}]|\\p{M}{9}`, 'u')

/** Whether two paths may look the same and be two: what no text may hide, no path needs at all. Escapes are seen. */
export const looksLikeAnother = (path: string): boolean => UNSEEN.test(path)
