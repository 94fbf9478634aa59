import type { Child } from '../jsx/jsx-runtime.ts'

interface TableBoxProps {
  /** What the table is of, for those who come to the box by the keyboard. */
  readonly name: string
  readonly children?: Child
}

/**
 * Around a table that stays one on a small screen. Where it is wider than its box it is scrolled, by the arrow keys too:
 * not every browser gives the focus to what scrolls by itself.
 */
export const TableBox = ({ name, children }: TableBoxProps) => (
  <figure class="tablebox" tabindex="0" aria-label={name}>
    {children}
  </figure>
)
