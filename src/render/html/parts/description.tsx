import type { Description } from '../../../domain/words/description.ts'
import { shortened } from '../../values.ts'
import { DESCRIPTIONS_NOTE } from '../../words.ts'

interface DescriptionsProps {
  readonly descriptions: readonly Description[]
}

/** A text that may be taller than its box is longer than this, in UTF-16 units or lines. */
const MAY_SCROLL = 250
const MAY_SCROLL_LINES = 12

/**
 * A stranger's words: a text node only, no markup and no links made of it. Nothing of it leaves its box, however its letters
 * are stacked, and its box is lower than a screen: a long text is scrolled in it, by the arrow keys too.
 */
export const Words = ({ text }: { readonly text: string }) => (
  <blockquote dir="auto" tabindex={isLong(text) ? '0' : '-1'}>
    {text}
  </blockquote>
)

const isLong = (text: string): boolean => text.length > MAY_SCROLL || text.split('\n').length > MAY_SCROLL_LINES

/** What each source says, in full. */
export const Descriptions = ({ descriptions }: DescriptionsProps) => (
  <>
    <p class="note">{DESCRIPTIONS_NOTE}</p>
    <ul>
      {descriptions.map(({ source, text }) => (
        <li key={source} class="said">
          <p>{`${source} says`}</p>
          <Words text={text} />
        </li>
      ))}
    </ul>
  </>
)

/** On a host's page, where the route's own page has all of it. */
const ON_A_HOST = 240

/** Marks above and below one letter, no more than any language needs: a pile of them covers the line above. */
const unpiled = (text: string): string => text.replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')

/** One text in few words, within a line of ours; it may be written the other way. */
export const Quoted = ({ description, most }: { readonly description: Description; readonly most: number }) => (
  <>
    {`${description.source} says: “`}
    <bdi>{shortened(unpiled(description.text), most)}</bdi>
    {'”'}
  </>
)

/** The first text of a route in one line; its page has all of them. */
export const DescriptionPart = ({ descriptions: [first] }: DescriptionsProps) =>
  first === undefined ? null : (
    <p class="note">
      <Quoted description={first} most={ON_A_HOST} />
    </p>
  )
