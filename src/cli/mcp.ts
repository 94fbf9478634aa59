import { parseArgs } from 'node:util'
import type { Store } from '../store/store.ts'
import { type Command, usageProblem } from './command.ts'

/** Ways in which `main` serves the pipe; each ends when the client closes it. */
export interface McpDoors {
  fromStore(store: Store): Promise<void>
  fromElsewhere(mcp: URL): Promise<void>
}

const usage = 'tollbook mcp [--to <base url>]   tools of the Model Context Protocol on standard input and output'

/** `tollbook mcp`: over the local store, or over a directory elsewhere. Standard output is the protocol's alone. */
export const mcpCommand = (doors: McpDoors): Command => ({
  usage,
  run: async (argv, context) => {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { to: { type: 'string' } },
    })
    if (positionals.length > 0) throw usageProblem(usage)
    if (values.to !== undefined) {
      const to = values.to.replace(/\/+$/, '')
      if (!/^https?:\/\//.test(to) || !URL.canParse(to)) throw usageProblem(usage)
      await doors.fromElsewhere(new URL(`${to}/mcp`))
      return 0
    }
    const store = await context.openStore()
    try {
      await doors.fromStore(store)
    } finally {
      await store.close()
    }
    return 0
  },
})
