import { parseArgs } from 'node:util'
import { Problem } from '../domain/problem.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { lineFault } from '../domain/words/text.ts'
import { hidePost } from '../store/posts/hide-post.ts'
import { HIDE } from './catalogue/write.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'

const LONGEST_REASON = 200

/** `tollbook hide post <id>`: the payment and the signature stay; the reason is public. */
export const hideCommand = (nowUs: () => number): Command => ({
  run: async (argv: string[], { openStore, out }: CommandContext): Promise<number> => {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: HIDE.options })
    const [what, id] = positionals
    const { reason } = values
    if (what !== 'post' || id === undefined || positionals.length > 2 || reason === undefined) throw usageProblem(HIDE)
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
