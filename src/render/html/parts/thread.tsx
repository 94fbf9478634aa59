import type { SellerHost } from '../../../domain/host.ts'
import { EMPTY_THREAD } from '../../../domain/thread.ts'
import { formatAgo } from '../../../domain/time/relative.ts'
import { formatTimestamp, type TimestampUs } from '../../../domain/time/timestamp.ts'
import type { PostView, ThreadPart } from '../../../views/host/host-view.ts'
import { NO_POSTS, postExample, postNote } from '../../examples/post-example.ts'
import { InLog } from '../../log/in-log.tsx'
import { hiddenLine, postFacts } from '../../post-words.ts'
import { shortWallet } from '../../review-words.ts'
import { hostThreadHref, policyHref, postHref, type Site } from '../../site.ts'
import { PARTS } from '../../words.ts'
import { Reply } from '../sellers/statements.tsx'
import { Words } from './description.tsx'

interface ThreadProps {
  readonly site: Site
  readonly view: { readonly host: SellerHost; readonly thread: ThreadPart; readonly nowUs: TimestampUs }
}

/** The buyer discussion thread: what was posted, oldest first, and how to post. */
export const Thread = ({ site, view: { host, thread, nowUs } }: ThreadProps) => (
  <section id="thread">
    <h2>{PARTS.thread}</h2>
    {thread.total === 0 && <p class="panel">{EMPTY_THREAD}</p>}
    {thread.posts.length > 0 && <Posts posts={thread.posts} nowUs={nowUs} />}
    {thread.next !== null && (
      <p class="cut">
        {`showing ${thread.posts.length} of ${thread.total}`} ·{' '}
        <a href={hostThreadHref(host, { cursor: thread.next })}>later posts</a>
      </p>
    )}
    <HowToPost site={site} host={host} />
  </section>
)

interface PostsProps {
  readonly posts: readonly PostView[]
  readonly nowUs: TimestampUs
  /** With where each is in the log: on the thread's own pages, a host's page has enough to carry. */
  readonly isLogged?: boolean
}

/** The words first, then whose they are; what proves it is folded below all of them. */
export const Posts = ({ posts, nowUs, isLogged = false }: PostsProps) => (
  <>
    <ol>
      {posts.map((post) => (
        <Post key={post.id} post={post} nowUs={nowUs} isLogged={isLogged} />
      ))}
    </ol>
    <details>
      <summary>Wallets, signing times and payments of these posts in full</summary>
      <pre class="lines">{posts.map(proofText).join('\n\n')}</pre>
    </details>
  </>
)

const proofText = (post: PostView): string =>
  [post.id, ...postFacts(post).map(([name, value]) => `  ${name} ${value}`)].join('\n')

/** A stranger's words: a text node only, no markup and no links made of it. */
const Post = ({ post, nowUs, isLogged }: Required<Omit<PostsProps, 'posts'>> & { readonly post: PostView }) => (
  <li class="said" id={`post-${post.id}`}>
    {post.hidden === null ? <Words text={post.text} /> : <p>{hiddenLine(post.hidden)}</p>}
    <a class="by" href={postHref(post.id)}>
      {`wallet ${shortWallet(post.wallet)} · ${formatAgo(post.postedUs, nowUs)}, ${formatTimestamp(post.postedUs)} · paid through ${post.rail}`}
    </a>
    {isLogged && <InLog of={[post]} isAfter />}
    <Reply reply={post.reply} />
  </li>
)

const HowToPost = ({ site, host }: { readonly site: Site; readonly host: SellerHost }) => {
  const example = postExample(site, host)
  if (example === null) return <p class="cut">{NO_POSTS}</p>
  const { command, steps } = example
  return (
    <>
      <p class="cut">
        {postNote(site)} <a href={policyHref}>Who is paid</a>
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
