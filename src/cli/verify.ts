import { parseArgs } from 'node:util'
import { counted } from '../domain/count.ts'
import { damaged } from '../domain/store-trouble.ts'
import { damageIn } from '../store/transfer/damage.ts'
import { verifyStore } from '../store/transfer/verify.ts'
import type { Witness } from '../wire/check-writing.ts'
import { VERIFY } from './catalogue/check.ts'
import { type Command, type CommandContext, expected, usageProblem } from './command.ts'
import { EVIDENCE, isEvidence } from './log/verify-logged.ts'
import { progressOn } from './terminal/progress.ts'
import { isWriting, verifyEvidence, verifyWriting, WRITINGS } from './verify-writing.ts'

const KINDS = [...WRITINGS, ...EVIDENCE]

async function verifyCounters({ openStore, out, err }: CommandContext): Promise<number> {
  const store = await openStore('look')
  const progress = progressOn(err)
  try {
    const damage = await damageIn(store)
    if (damage !== undefined) throw damaged(damage)
    const { hosts, differences } = await verifyStore(
      store,
      ({ host, what, ...found }) => {
        progress.end()
        out.write(`${host}: ${what}: stored ${found.stored}, counted ${found.counted}\n`)
      },
      (done) => progress.update('verifying', done, null),
    )
    progress.end()
    out.write(`Verified ${counted(hosts, 'host')}, ${counted(differences, 'difference')}.\n`)
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
    if (kind === undefined && values['rpc-url'] !== undefined)
      throw usageProblem(VERIFY, '--rpc-url: counters are recomputed without a node')
    if (kind === undefined) return verifyCounters(context)
    if (!isEvidence(kind) && !isWriting(kind)) throw expected(VERIFY, '<kind>', `one of ${KINDS.join(', ')}`)
    if (place === undefined) throw expected(VERIFY, '<file>', 'its JSON, in a file or at an address')
    if (positionals.length > 2) throw usageProblem(VERIFY, 'one file is checked at a time')
    if (isEvidence(kind)) return verifyEvidence(fetch, kind, place, context.out)
    const rpcUrl = values['rpc-url']
    const witness = rpcUrl === undefined ? undefined : await witnessAt(rpcUrl)
    return verifyWriting(fetch, kind, place, context.out, witness)
  },
})
