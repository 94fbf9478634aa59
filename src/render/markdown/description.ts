import type { Description } from '../../domain/words/description.ts'
import { DESCRIPTIONS_HEADING, DESCRIPTIONS_NOTE } from '../words.ts'
import { codeSpan, fenced } from './quote.ts'

/** What sources say of a route: each text in a fence of its own, after the name of who says it. */
export const descriptionBlocks = (descriptions: readonly Description[]): string[] =>
  descriptions.length === 0
    ? []
    : [
        `#### ${DESCRIPTIONS_HEADING}`,
        DESCRIPTIONS_NOTE,
        ...descriptions.flatMap(({ source, text }) => [`${codeSpan(source)} says:`, fenced(text)]),
      ]
