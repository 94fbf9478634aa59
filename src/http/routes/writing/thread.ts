import { threadJson } from '../../../render/json/pages.ts'
import { PATHS } from '../../../wire/paths.ts'
import { createEndpoint } from '../../endpoint.ts'
import { json } from '../../openapi/operation.ts'
import { host, page } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { listHandler } from '../hosts/list-json.ts'
import { THREAD } from '../hosts/lists.ts'

export const getThreadEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.thread, id: 'getThread', tag: 'Threads', isCached: true },
  summary: "The posts of a host's thread, oldest first",
  parameters: [host, ...page],
  answers: { 200: json('Thread', 'One page of posts') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler(THREAD, threadJson),
})
