import { randomBytes } from 'node:crypto'
import type { Running } from '../cli/serve.ts'
import { Problem } from '../domain/problem.ts'
import { startServer, type WebServer } from '../http/server.ts'
import { openStore } from '../store/open.ts'
import { directoryOf } from '../views/open-directory.ts'
import type { Config } from './config.ts'
import { createLog } from './log.ts'

/** The one place that builds everything: store, reading side, web server. */
export async function serve(config: Config): Promise<Running> {
  const log = createLog(config.logLevel)
  const { dataDir, databaseUrl } = config
  const onTrouble = (error: Error): void => log.error({ err: error }, 'store trouble')
  const store = await openStore({ dataDir, databaseUrl, onTrouble })
  let web: WebServer
  try {
    web = await startServer({
      port: config.port,
      bind: config.bind,
      siteAt: (port) => ({ baseUrl: config.baseUrl ?? `http://localhost:${port}` }),
      directory: directoryOf(store, config.sources),
      allow: config.allowHosts,
      limits: config.rateLimits,
      trusted: config.trustedProxies,
      log,
      nowMs: () => performance.now(),
      random: () =>
        randomBytes(6)
          .toString('base64url')
          .replaceAll(/[^A-Za-z0-9]/g, '0'),
    })
  } catch (error) {
    await store.close()
    throw listenProblem(error, config)
  }
  return {
    address: `http://${visibleHost(config.bind)}:${web.port}`,
    stop: async (mostMs) => {
      log.info('stopping')
      await web.drain(mostMs)
      await store.close()
      log.info('stopped')
    },
  }
}

const LOCAL: readonly (string | undefined)[] = [undefined, '0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']

const visibleHost = (bind: string | undefined): string => {
  if (bind === undefined || LOCAL.includes(bind)) return 'localhost'
  return bind.includes(':') ? `[${bind}]` : bind
}

/** Why the port could not be opened, as one line for the operator. */
function listenProblem(error: unknown, { port, bind }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const fault = (detail: string): Problem => new Problem('cannot-listen', 500, 'Cannot listen', detail, '')
  switch (code) {
    case 'EADDRINUSE':
      return fault(`port ${port} is in use; set PORT to another one`)
    case 'EACCES':
      return fault(`port ${port} may not be opened by this user; set PORT to one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EINVAL':
      return fault(`this machine has no address ${bind}; set BIND to one of its own or unset it`)
    default:
      return error
  }
}
