import { postPage } from '../../../render/html/pages/post.tsx'
import { postPageJson } from '../../../render/json/post-page.ts'
import { fullAddress, hostHref, postHref } from '../../../render/site.ts'
import { PATHS } from '../../../wire/paths.ts'
import { EXAMPLES } from '../../openapi/parameters.ts'
import { createWritingEndpoint } from './writing-page.ts'

export const getPostEndpoint = createWritingEndpoint({
  ...{ noun: 'post', path: PATHS.post, id: 'getPost', tag: 'Threads', example: EXAMPLES.post },
  summary: 'One post, with everything that verifies it offline',
  ...{ schema: 'PostPage', answer: 'The post' },
  find: (directory, id) => directory.post(id),
  json: postPageJson,
  html: postPage,
  href: postHref,
  links: (site, { host }) => [`<${fullAddress(site, hostHref(host))}>; rel="up"`],
})
