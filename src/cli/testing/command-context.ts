import type { CommandContext } from '../command.ts'
import type { Screen } from '../terminal/progress.ts'

const notNeeded = (): never => {
  throw new Error('not needed here')
}

/** A context without store and sources, and what was written to its screens. */
export function commandContext(more: Partial<CommandContext> = {}) {
  const said = { out: '', err: '', both: '' }
  const screen = (name: 'out' | 'err'): Screen => ({
    write: (text: string) => {
      said[name] += text
      said.both += text
    },
  })
  const context: CommandContext = {
    allowHosts: [],
    sources: [],
    ingesting: notNeeded,
    openStore: notNeeded,
    out: screen('out'),
    err: screen('err'),
    ...more,
  }
  return { context, said }
}
