import { parseArgs } from 'node:util'
import { Problem } from '../domain/problem.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { lineFault } from '../domain/words/text.ts'
import { hidePost } from '../store/posts/hide-post.ts'
import { hideReview } from '../store/reviews/hide-review.ts'
import { hideStatement } from '../store/sellers/hide-statement.ts'
import { HIDE } from './catalogue/write.ts'
import { type Command, type CommandContext, expected, misuse, tooMany } from './command.ts'

const LONGEST_REASON = 200

const HIDING: Readonly<Record<string, typeof hidePost>> = {
  post: hidePost,
  review: hideReview,
  statement: hideStatement,
}

/** `tollbook hide post|review|statement <id>`: the payment and the signature stay; the reason is public. */
export const hideCommand = (nowUs: () => number): Command => ({
  run: async (argv: string[], { openStore, out }: CommandContext): Promise<number> => {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: HIDE.options })
    const [what, id, more] = positionals
    const { reason } = values
    const hide = what !== undefined && Object.hasOwn(HIDING, what) ? HIDING[what] : undefined
    if (hide === undefined) throw expected(HIDE, '<kind>', `one of ${Object.keys(HIDING).join(', ')}`)
    if (id === undefined) throw expected(HIDE, '<id>', `that of a ${what}`)
    if (more !== undefined) throw tooMany(HIDE, more)
    if (reason === undefined) throw expected(HIDE, '--reason', 'why, in a line that everybody may read')
    const fault = lineFault(reason, LONGEST_REASON)
    if (fault !== undefined) throw misuse(`--reason is not taken: ${fault}`)
    const store = await openStore()
    try {
      const hidden = await hide(store, id, nowUs(), reason)
      if (hidden === undefined) throw new Problem('no-writing', 404, `No such ${what}`, `there is no ${what} ${id}`, '')
      const place = what === 'post' ? 'in the thread' : 'on the page'
      out.write(`Hidden since ${formatTimestamp(hidden.atUs)} ${place} of ${hidden.host}.\n`)
      return 0
    } finally {
      await store.close()
    }
  },
})
