/** What a seller can say. None of it changes or hides evidence. */
export const STATEMENT_KINDS = ['reply', 'correct', 'retire', 'moved', 'contact', 'probe'] as const
export type StatementKind = (typeof STATEMENT_KINDS)[number]

/** What stands above everything that a seller says. */
export const SELLER_SAYS = 'The seller says'

/** These say something only by their words; the others say it by their kind, and words are welcome. */
export const needsText = (kind: StatementKind): boolean => kind === 'reply' || kind === 'correct' || kind === 'contact'

const ROUTE_FORM = '<METHOD> <url> <rail>'

/** How `about` is written for each kind. */
export const ABOUT_FORMS: Readonly<Record<StatementKind, string>> = {
  reply: 'review <id> or post <id>',
  correct: `${ROUTE_FORM}, and for what one source lists of it the name of the source`,
  retire: `${ROUTE_FORM}, or the host`,
  moved: 'the new host',
  contact: 'the host',
  probe: ROUTE_FORM,
}
