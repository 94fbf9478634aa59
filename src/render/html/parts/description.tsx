import type { Description } from '../../../domain/words/description.ts'
import { shortened } from '../../values.ts'
import { DESCRIPTIONS_NOTE } from '../../words.ts'

interface DescriptionsProps {
  readonly descriptions: readonly Description[]
}

/** Strangers' words: text nodes only, no markup and no links made of them. */
export const Descriptions = ({ descriptions }: DescriptionsProps) => (
  <>
    <p class="note">{DESCRIPTIONS_NOTE}</p>
    <ul>
      {descriptions.map(({ source, text }) => (
        <li key={source} class="said">
          <p>{`${source} says`}</p>
          <blockquote dir="auto">{text}</blockquote>
        </li>
      ))}
    </ul>
  </>
)

/** On a host's page, where the route's own page has all of it. */
const ON_A_HOST = 240

/** One text in few words, within a line of ours; it may be written the other way. */
export const Quoted = ({ description, most }: { readonly description: Description; readonly most: number }) => (
  <>
    {`${description.source} says: “`}
    <bdi>{shortened(description.text, most)}</bdi>
    {'”'}
  </>
)

/** The first text of a route in one line; its page has all of them. */
export const DescriptionPart = ({ descriptions: [first] }: DescriptionsProps) =>
  first === undefined ? null : <p class="note">{`${first.source} says: “${shortened(first.text, ON_A_HOST)}”`}</p>
