import type { SellerHost } from '../../../domain/host.ts'
import { EMPTY_THREAD } from '../../../domain/thread.ts'
import type { PostView, ThreadPart } from '../../../views/host/host-view.ts'
import { POST_NOTE, postExample } from '../../post-example.ts'
import { hiddenLine, postFacts } from '../../post-words.ts'
import { policyHref, postHref, type Site, threadHref, withQuery } from '../../site.ts'
import { PARTS } from '../../words.ts'

interface ThreadProps {
  readonly site: Site
  readonly view: { readonly host: SellerHost; readonly thread: ThreadPart }
}

/** The buyer discussion thread: what was posted, oldest first, and how to post. */
export const Thread = ({ site, view: { host, thread } }: ThreadProps) => (
  <section id="thread">
    <h2>{PARTS.thread}</h2>
    {thread.total === 0 && <p class="panel">{EMPTY_THREAD}</p>}
    {thread.posts.length > 0 && (
      <ol>
        {thread.posts.map((post) => (
          <Post key={post.id} post={post} />
        ))}
      </ol>
    )}
    {thread.next !== null && (
      <p class="cut">
        {`showing ${thread.posts.length} of ${thread.total}`} ·{' '}
        <a href={withQuery(threadHref(host), { cursor: thread.next })}>later posts as JSON</a>
      </p>
    )}
    <HowToPost site={site} host={host} />
  </section>
)

/** A stranger's words: a text node only, no markup and no links made of it. */
export const Post = ({ post }: { readonly post: PostView }) => (
  <li class="said" id={`post-${post.id}`}>
    <p>
      {postFacts(post)
        .map(([name, value]) => `${name} ${value}`)
        .join(' · ')}
      {' · '}
      <a href={postHref(post.id)}>permalink</a>
    </p>
    {post.hidden === null ? <blockquote>{post.text}</blockquote> : <p>{hiddenLine(post.hidden)}</p>}
  </li>
)

const HowToPost = ({ site, host }: { readonly site: Site; readonly host: SellerHost }) => {
  const { command, steps } = postExample(site, host)
  return (
    <>
      <p class="cut">
        {POST_NOTE} <a href={policyHref}>Who is paid</a>
      </p>
      <pre>
        <code>{command}</code>
      </pre>
      <details>
        <summary>The same by hand</summary>
        <ol class="plain">
          {steps.map((step, index) => (
            <li key={step}>{`${index + 1}. ${step}`}</li>
          ))}
        </ol>
      </details>
    </>
  )
}
