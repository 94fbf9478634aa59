import { existsSync, readFileSync } from 'node:fs'
import type { CommandContext } from '../cli/command.ts'
import { dispatch } from '../cli/tollbook.ts'
import { openStore } from '../store/open.ts'
import { loadConfig } from './config.ts'
import { nextSignal } from './signals.ts'

/** The `tollbook` command: the words after it and the environment in, the exit code out. */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const context = (): CommandContext => {
    const config = loadConfig(env)
    return {
      allowHosts: config.allowHosts,
      openStore: () => openStore(config),
      out: process.stdout,
      err: process.stderr,
    }
  }
  const loadServe = async () => {
    const [{ serveCommand }, { serve }] = await Promise.all([import('../cli/serve.ts'), import('./serve.ts')])
    return serveCommand({ start: () => serve(loadConfig(env)), nextSignal, abort: () => process.exit(1) })
  }
  return dispatch(argv, {
    version: version(),
    out: process.stdout,
    err: process.stderr,
    context,
    more: new Map([['serve', loadServe]]),
  })
}

/** Of the package that this file belongs to: two folders up from source, three from the built program. */
function version(): string {
  const file = ['../../package.json', '../../../package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url))
  const manifest: unknown = file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'))
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return known ? String(manifest.version) : 'unknown'
}
