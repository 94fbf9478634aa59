import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { ROLES, type Role, type Running } from '../cli/serve.ts'
import { Problem } from '../domain/problem.ts'
import { startServer, type WebServer } from '../http/server.ts'
import { ingestForever } from '../ingest/ingester.ts'
import type { Egress } from '../probe/egress.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { directoryOf } from '../views/open-directory.ts'
import type { Config } from './config.ts'
import { createLog } from './log.ts'
import { baseUrlOf, egressOf, ingestingOf } from './strangers.ts'

/** The one place that builds everything: store, and what each role needs. */
export async function serve(config: Config, roles: readonly Role[] = ROLES): Promise<Running> {
  const log = createLog(config.logLevel)
  const { dataDir, databaseUrl } = config
  const onTrouble = (error: Error): void => log.error({ err: error }, 'store trouble')
  const store = await openStore({ dataDir, databaseUrl, onTrouble })
  let web: WebServer | null
  try {
    web = roles.includes('web') ? await startWeb(config, store, log) : null
  } catch (error) {
    await store.close()
    throw listenProblem(error, config)
  }
  const stopping = new AbortController()
  const egress = egressOf(config, baseUrlOf(config, web?.port))
  const ingest = roles.includes('ingest') ? ingestWith(config, store, egress, stopping.signal, log) : undefined
  return {
    address: web === null ? null : `http://${visibleHost(config.bind)}:${web.port}`,
    stop: async (mostMs) => {
      log.info('stopping')
      stopping.abort()
      await web?.drain(mostMs)
      await ingest
      await store.close()
      log.info('stopped')
    },
  }
}

const startWeb = (config: Config, store: Store, log: Logger): Promise<WebServer> =>
  startServer({
    port: config.port,
    bind: config.bind,
    siteAt: (port) => ({ baseUrl: baseUrlOf(config, port) }),
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

function ingestWith(config: Config, store: Store, egress: Egress, signal: AbortSignal, log: Logger): Promise<void> {
  return ingestForever(
    ingestingOf(config, store, egress),
    config.sources,
    signal,
    ({ source, status, seen, stored, error }) => {
      const level = status === 'complete' || error === 'interrupted' ? 'info' : 'warn'
      log[level]({ source, status, seen, stored, error }, 'sweep')
    },
    (source, error) => log.error({ source, err: error }, 'sweep trouble'),
  )
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
