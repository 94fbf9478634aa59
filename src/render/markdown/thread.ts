import type { SellerHost } from '../../domain/host.ts'
import { EMPTY_THREAD } from '../../domain/thread.ts'
import type { PostView, ThreadPart } from '../../views/host/host-view.ts'
import { NO_POSTS, postExample, postNote } from '../examples/post-example.ts'
import { inLog } from '../log/in-log-markdown.ts'
import { postFacts } from '../post-words.ts'
import { replyBlocks } from '../sellers/markdown.ts'
import { fullAddress, nextAddress, postHref, type Site, threadHref } from '../site.ts'
import { type Detail, EVERYTHING } from './detail.ts'
import { codeSpan, fenced, hiddenText, shortened } from './quote.ts'
import { cutLine } from './route.ts'

/** The buyer discussion thread: posts oldest first, and how to post. */
export function threadBlocks(
  site: Site,
  { host, thread }: { host: SellerHost; thread: ThreadPart },
  most: Pick<Detail, 'posts' | 'letters'> = EVERYTHING,
): string[] {
  const { total, next } = thread
  const posts = thread.posts.slice(0, most.posts)
  const blocks = posts.flatMap((post) => postBlocks(site, post, most.letters))
  if (total === 0) blocks.push(EMPTY_THREAD)
  const whole = fullAddress(site, threadHref(host))
  const isCut = posts.length < thread.posts.length
  const more = isCut ? whole : nextAddress(site, threadHref(host), new URLSearchParams(), next)
  if (more !== null) blocks.push(cutLine(posts.length, total, more))
  const example = postExample(site, host)
  if (example === null) return [...blocks, NO_POSTS]
  const { command, steps } = example
  blocks.push(postNote(site), fenced(command, 'bash'), 'The same by hand:')
  blocks.push(steps.map((step, index) => `${index + 1}. ${step}`).join('\n'))
  return blocks
}

export function postBlocks(site: Site, post: PostView, letters: number): string[] {
  const facts = postFacts(post).map(([name, value]) => `${name} ${codeSpan(value)}`)
  const marks = `${facts.join(' · ')} · <${fullAddress(site, postHref(post.id))}>${inLog(site, post)}`
  const { hidden } = post
  const words = hidden === null ? shortened(post.text, letters) : [hiddenText(hidden)]
  return [marks, ...words, ...replyBlocks(site, post.reply, letters)]
}
