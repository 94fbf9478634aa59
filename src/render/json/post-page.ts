import type { PostPage } from '../../views/post-page.ts'
import { apiHostHref, fullAddress, type Site, threadHref } from '../site.ts'
import { postJson } from './post.ts'

/** One post with what verifies it offline: `message` are the lines that `signature` is over. */
export const postPageJson = (site: Site, { host, post, textSha256, message }: PostPage) => ({
  ...postJson(site, host, post),
  text_sha256: textSha256,
  message,
  host_href: fullAddress(site, apiHostHref(host)),
  thread_href: fullAddress(site, threadHref(host)),
})
