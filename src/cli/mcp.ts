import { parseArgs } from 'node:util'
import type { Store } from '../store/store.ts'
import { PATHS } from '../wire/paths.ts'
import { MCP } from './catalogue/run.ts'
import { type Command, directoryAt, tooMany } from './command.ts'

/** Ways in which `main` serves the pipe; each ends when the client closes it. */
export interface McpDeps {
  fromStore(store: Store): Promise<void>
  fromElsewhere(mcp: URL): Promise<void>
}

/** `tollbook mcp`: over the local store, or over a directory elsewhere. Standard output is the protocol's alone. */
export const mcpCommand = (deps: McpDeps): Command => ({
  run: async (argv, context) => {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: MCP.options })
    const [more] = positionals
    if (more !== undefined) throw tooMany(MCP, more)
    if (values.to !== undefined) {
      await deps.fromElsewhere(new URL(`${directoryAt(values.to, MCP)}${PATHS.mcp}`))
      return 0
    }
    const store = await context.openStore()
    try {
      await deps.fromStore(store)
    } finally {
      await store.close()
    }
    return 0
  },
})
