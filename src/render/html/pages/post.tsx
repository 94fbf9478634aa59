import type { PostPage } from '../../../views/post-page.ts'
import { InLog } from '../../log/in-log.tsx'
import { hiddenLine, postFacts } from '../../post-words.ts'
import { commandLine, fullAddress, hostHref, postHref, type Site, withQuery } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { Words } from '../parts/description.tsx'
import { SignedLines } from '../parts/signed-lines.tsx'
import { AnswerIt, Reply } from '../sellers/statements.tsx'

/** One post, for people who follow a link to it, with what verifies it. */
export const postPage = (site: Site, { host, post, textSha256, message }: PostPage): string =>
  page({
    site,
    title: `Post in the thread of ${host} · ${PRODUCT}`,
    description: `One paid post in the buyer discussion thread of ${host}.`,
    canonical: fullAddress(site, postHref(post.id)),
    alternates: [
      { type: 'application/json', name: 'This post as JSON', href: withQuery(postHref(post.id), { format: 'json' }) },
    ],
    children: (
      <>
        <header>
          <p class="eyebrow">Post in the buyer discussion thread</p>
          <h1>
            <a href={`${hostHref(host)}#thread`}>{host}</a>
          </h1>
        </header>
        <section>
          <div class="said">{post.hidden === null ? <Words text={post.text} /> : <p>{hiddenLine(post.hidden)}</p>}</div>
          <Reply reply={post.reply} />
          <ul class="lines">
            {postFacts(post).map(([name, value]) => (
              <li key={name}>{`${name} ${value}`}</li>
            ))}
          </ul>
          <InLog of={[post]} />
          <AnswerIt site={site} host={host} about={`post ${post.id}`} />
        </section>
        <SignedLines
          note="These four lines, joined by one line feed each, were signed by the wallet (EIP-191). The third is the SHA-256 of the text."
          message={message}
          lines={[`signature ${post.signature}`, `text SHA-256 ${textSha256}`]}
          command={commandLine(site, `verify post ${fullAddress(site, postHref(post.id))}`)}
        />
      </>
    ),
  })
