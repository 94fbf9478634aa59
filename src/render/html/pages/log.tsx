import type { LogView } from '../../../views/log-view.ts'
import {
  DOES_NOT_PROVE,
  LOG_LEAD,
  LOG_TITLE,
  logCommands,
  logFacts,
  logNotices,
  PROVES,
  VERIFY_NOTE,
} from '../../log/page-words.ts'
import { fullAddress, logCheckpointHref, logHref, logVerifierHref, type Site, withQuery } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'

const asFormat = (format: string): string => withQuery(logHref, { format })

/** The evidence log at a glance: how large it is, who watches it, how to verify it, what that proves and what not. */
export const logPage = (site: Site, view: LogView): string =>
  page({
    site,
    title: `${LOG_TITLE} · ${PRODUCT}`,
    description: LOG_LEAD,
    canonical: fullAddress(site, logHref),
    at: logHref,
    alternates: [
      { type: 'text/markdown', name: 'Evidence log as Markdown', href: asFormat('md') },
      { type: 'application/json', name: 'Evidence log as JSON', href: asFormat('json') },
    ],
    children: (
      <>
        <header>
          <h1>{LOG_TITLE}</h1>
          <p class="lead">{LOG_LEAD}</p>
        </header>
        {logNotices(view).map((notice) => (
          <p key={notice} class="panel">
            {notice}
          </p>
        ))}
        <section>
          <h2>Now</h2>
          <pre class="lines">
            {logFacts(view)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </pre>
          <p class="cut">
            <a href={logCheckpointHref}>checkpoint</a> · <a href={logVerifierHref}>verify.mjs</a>
          </p>
        </section>
        <section>
          <h2>Verify it</h2>
          <p class="small soft">{VERIFY_NOTE}</p>
          <pre>
            <code>{logCommands(site, view).join('\n')}</code>
          </pre>
        </section>
        <Points heading="What it proves" points={PROVES} />
        <Points heading="What it does not prove" points={DOES_NOT_PROVE} />
      </>
    ),
  })

const Points = ({ heading, points }: { readonly heading: string; readonly points: readonly string[] }) => (
  <section>
    <h2>{heading}</h2>
    <ul class="plain">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  </section>
)
