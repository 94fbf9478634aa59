import { LEVELS } from '../../../domain/review.ts'
import { LEVEL_PROOFS } from '../../policy-words.ts'
import { levelLine, PARTS } from '../../words.ts'
import { once } from '../jsx/jsx-runtime.ts'

const List = once(() => (
  <ul class="levels">
    {LEVELS.map((level, index) => (
      <li key={level} class={`l${index}`}>
        <p>{levelLine(level)}</p>
        <p>{`It proves: ${LEVEL_PROOFS[level].proves}`}</p>
        <p>{`It does not prove: ${LEVEL_PROOFS[level].doesNotProve}`}</p>
      </li>
    ))}
  </ul>
))

/** The three support levels: the exact line of each, what it proves and what it does not. */
export const Levels = ({ heading = PARTS.levels }: { heading?: string }) => (
  <section id="levels">
    <h2>{heading}</h2>
    <List />
  </section>
)
