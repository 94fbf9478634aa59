import { parseArgs } from 'node:util'
import { verifyStore } from '../store/verify.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'
import { progressOn } from './progress.ts'
import { isWriting, verifyWriting } from './verify-writing.ts'

const usage =
  'tollbook verify [review|post <file|url>]   recompute every counter from its rows and name every difference; or check one review or post from its JSON alone'

async function verifyCounters({ openStore, out, err }: CommandContext): Promise<number> {
  const store = await openStore()
  const progress = progressOn(err)
  try {
    const { hosts, differences } = await verifyStore(
      store,
      ({ host, what, stored, counted }) => {
        progress.end()
        out.write(`${host}: ${what}: stored ${stored}, counted ${counted}\n`)
      },
      (done) => progress.update('verifying', done, null),
    )
    progress.end()
    out.write(`Verified ${hosts} hosts, ${differences} differences.\n`)
    return differences === 0 ? 0 : 1
  } finally {
    await store.close()
  }
}

/** `tollbook verify`, and `tollbook verify review|post <file|url>`, which needs no store. */
export const verifyCommand = (fetch: typeof globalThis.fetch): Command => ({
  usage,
  run: async (argv: string[], context: CommandContext): Promise<number> => {
    const { positionals } = parseArgs({ args: argv, allowPositionals: true })
    const [kind, place] = positionals
    if (kind === undefined) return verifyCounters(context)
    if (!isWriting(kind) || place === undefined || positionals.length > 2) throw usageProblem(usage)
    return verifyWriting(fetch, kind, place, context.out)
  },
})
