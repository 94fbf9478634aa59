import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface OwnServer {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

const COMMAND = fileURLToPath(new URL('../../../bin/tollbook.js', import.meta.url))

/** `tollbook serve` in a process of its own, as an operator starts it, without limits on how often one may ask. */
export async function ownServer(dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<OwnServer> {
  const { PATH, HOME } = process.env
  const settings = { PORT: '0', BIND: '127.0.0.1', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const server = spawn(process.execPath, [COMMAND, 'serve', '--roles', 'web'], {
    env: { PATH, HOME, NODE_ENV: 'production', ...settings, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  const orphanGuard = (): void => {
    server.kill('SIGKILL')
  }
  process.once('exit', orphanGuard)
  for await (const line of createInterface({ input: server.stdout })) {
    const port = Number(/listens on \S+:(\d+)/.exec(line)?.[1])
    if (port > 0) {
      return {
        port,
        pid: server.pid ?? 0,
        stop: async () => {
          process.off('exit', orphanGuard)
          server.kill('SIGTERM')
          await ended
        },
      }
    }
  }
  throw new Error('tollbook serve ended without opening a port')
}
