import { verifyStore } from '../store/verify.ts'
import type { Command, CommandContext } from './command.ts'
import { progressOn } from './progress.ts'

const usage = 'tollbook verify          recompute every counter from its rows and name every difference'

async function run(_argv: string[], { openStore, out, err }: CommandContext): Promise<number> {
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

export const verifyCommand: Command = { usage, run }
