import type { Rail } from '../../../domain/route.ts'
import { quickstart } from '../../examples/quickstart.ts'
import type { Site } from '../../site.ts'

/** Tasks with what to paste, before the reference. */
export const Quickstart = ({ site, rails }: { readonly site: Site; readonly rails: readonly Rail[] }) => (
  <section id="quickstart">
    <h2>Quickstart</h2>
    {quickstart(site, rails).map(({ id, title, words, pastes }) => (
      <article key={id} class="route" id={`quickstart-${id}`}>
        <h3>{title}</h3>
        <p class="small">{words}</p>
        {pastes.map(({ name, text }) => (
          <>
            <h4>{name}</h4>
            <pre>
              <code>{text}</code>
            </pre>
          </>
        ))}
      </article>
    ))}
  </section>
)
