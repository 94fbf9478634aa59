import { parseArgs } from 'node:util'
import { verifyStore } from '../store/transfer/verify.ts'
import type { Witness } from '../wire/check-writing.ts'
import { VERIFY } from './catalogue/check.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'
import { isEvidence } from './log/verify-logged.ts'
import { progressOn } from './terminal/progress.ts'
import { isWriting, verifyEvidence, verifyWriting } from './verify-writing.ts'

async function verifyCounters({ openStore, out, err }: CommandContext): Promise<number> {
  const store = await openStore('look')
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

/** `tollbook verify`, and `tollbook verify review|post|statement|claim|offer <file|url>`, which needs no store. */
export const verifyCommand = (
  fetch: typeof globalThis.fetch,
  witnessAt: (rpcUrl: string) => Promise<Witness>,
): Command => ({
  run: async (argv: string[], context: CommandContext): Promise<number> => {
    const { positionals, values } = parseArgs({ args: argv, allowPositionals: true, options: VERIFY.options })
    const [kind, place] = positionals
    if (kind === undefined) return verifyCounters(context)
    if (isEvidence(kind) && place !== undefined && positionals.length === 2)
      return verifyEvidence(fetch, kind, place, context.out)
    if (!isWriting(kind) || place === undefined || positionals.length > 2) throw usageProblem(VERIFY)
    const rpcUrl = values['rpc-url']
    const witness = rpcUrl === undefined ? undefined : await witnessAt(rpcUrl)
    return verifyWriting(fetch, kind, place, context.out, witness)
  },
})
