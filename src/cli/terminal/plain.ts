import { stripVTControlCharacters } from 'node:util'
import { UNSAFE } from '../../domain/words/text.ts'

/**
 * A stranger's text as one line of a terminal: nothing that moves the cursor, colours, renames the window, turns the
 * direction or begins a line of its own.
 */
export const plainLine = (text: string): string =>
  stripVTControlCharacters(text.toWellFormed().replace(/[\s\u0085]+/g, (run) => (BREAK.test(run) ? ' ' : run))).replace(
    UNSAFE,
    '',
  )

const BREAK = /[\n\r\t\v\f\u0085\u2028\u2029]/
