import { parseArgs } from 'node:util'
import { Problem } from '../domain/problem.ts'
import { lineFault } from '../domain/text.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { hidePost } from '../store/hide-post.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'

const usage = 'tollbook hide post <id> --reason "…"   take a post\'s text down and leave a dated placeholder'
const LONGEST_REASON = 200

/** `tollbook hide post <id>`: the payment and the signature stay; the reason is public. */
export const hideCommand = (nowUs: () => number): Command => ({
  usage,
  run: async (argv: string[], { openStore, out }: CommandContext): Promise<number> => {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { reason: { type: 'string' } },
    })
    const [what, id] = positionals
    const { reason } = values
    if (what !== 'post' || id === undefined || positionals.length > 2 || reason === undefined) throw usageProblem(usage)
    const fault = lineFault(reason, LONGEST_REASON)
    if (fault !== undefined) throw new Problem('usage', 400, 'Usage', `--reason is not taken: ${fault}`, '')
    const store = await openStore()
    try {
      const hidden = await hidePost(store, id, nowUs(), reason)
      if (hidden === undefined) throw new Problem('no-post', 404, 'No such post', `there is no post ${id}`, '')
      out.write(`Hidden since ${formatTimestamp(hidden.atUs)} in the thread of ${hidden.host}.\n`)
      return 0
    } finally {
      await store.close()
    }
  },
})
