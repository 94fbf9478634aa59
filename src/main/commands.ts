import { archiveProblem } from '../archive/archive-problem.ts'
import { sleep } from '../async/sleep.ts'
import type { CommandName } from '../cli/catalogue/catalogue.ts'
import type { Command, DirectoryDeps } from '../cli/command.ts'
import { Problem } from '../domain/problem.ts'
import { baseUrlOf } from './base-url.ts'
import type { Config } from './config.ts'
import { nextSignal } from './signals.ts'

export type Loaders = Readonly<Record<CommandName, () => Promise<Command>>>

const configIn = async (env: NodeJS.ProcessEnv): Promise<Config> => (await import('./config.ts')).loadConfig(env)

/** How each command is built when it is called: what it needs is loaded then, and not before. */
export const loadersOf = (env: NodeJS.ProcessEnv): Loaders => ({
  serve: () => loadServe(env),
  mcp: () => loadMcp(env),
  migrate: async () => (await import('../cli/schema/migrate.ts')).migrateCommand,
  distribute: async () => (await import('../cli/schema/distribute.ts')).distributeCommand,
  backup: async () => (await import('../cli/backup.ts')).backupCommand,
  restore: async () => (await import('../cli/backup.ts')).restoreCommand,
  witness: async () =>
    (await import('../cli/log/witness.ts')).witnessCommand({ nextSignal, nowS: () => Math.floor(Date.now() / 1000) }),
  ingest: async () => (await import('../cli/ingest.ts')).ingestCommand,
  add: async () => (await import('../cli/add.ts')).addCommand,
  probe: () => loadProbe(env),
  import: async () => (await import('../cli/import.ts')).importCommand,
  export: async () => (await import('../cli/export.ts')).exportCommand,
  archive: () => loadArchive(env),
  review: async () => (await import('../cli/review.ts')).reviewCommand(await directoryDeps(env)),
  post: () => loadPost(env),
  claim: async () => (await import('../cli/sellers/claim.ts')).claimCommand(await directoryDeps(env)),
  say: async () => (await import('../cli/sellers/say.ts')).sayCommand(await directoryDeps(env)),
  hide: async () => (await import('../cli/hide.ts')).hideCommand((await import('./clock.ts')).nowUs),
  ask: async () => (await import('../cli/explain/ask.ts')).askCommand(await directoryDeps(env)),
  verify: loadVerify,
  audit: async () => (await import('../cli/log/audit.ts')).auditCommand(globalThis.fetch),
  doctor: () => loadDoctor(env),
  why: () => loadWhy(env),
  payments: async () => (await import('../cli/payments.ts')).paymentsCommand,
})

async function loadVerify(): Promise<Command> {
  const { verifyCommand } = await import('../cli/verify.ts')
  return verifyCommand(globalThis.fetch, async (rpcUrl) =>
    (await import('../payment/witness.ts')).createWitness(rpcUrl),
  )
}

/**
 * V8 lets a heap grow to several times what is in use before it looks for what is not. Pages that are asked for once leave
 * much of that: looking when it has grown by two fifths keeps a server at two thirds of the memory, and answers are as fast.
 */
const HEAP_GROWTH = '--heap-growing-percent=40'

/** Not before: with another flag than Node was built with, V8 compiles Node's own parts anew, up to an eighth of a start. */
async function onceStarted<R>(starting: Promise<R>): Promise<R> {
  const running = await starting
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString(HEAP_GROWTH)
  return running
}

async function loadServe(env: NodeJS.ProcessEnv): Promise<Command> {
  const [{ serveCommand }, { serve }, { createLog }] = await Promise.all([
    import('../cli/serve.ts'),
    import('./serve.ts'),
    import('./log.ts'),
  ])
  const config = await configIn(env)
  const { webWorkers } = config
  const member = webWorkers > 1 ? (await import('./crew/member.ts')).joinCrew(env, webWorkers) : undefined
  if (member !== undefined) {
    return serveCommand({
      start: () => onceStarted(serve(config, ['web'], { member })).catch((error: unknown) => member.fail(error)),
      nextSignal: () => Promise.race([nextSignal(), member.stopped]),
      // Whoever is in a hurry ends the process that leads, and this one with it.
      abort: () => undefined,
      announce: () => undefined,
    })
  }
  return serveCommand({
    start: (roles) => onceStarted(serve(config, roles, { leads: webWorkers > 1 && roles.includes('web') })),
    nextSignal,
    abort: () => process.exit(1),
    announce: (text, fields) => {
      if (process.stdout.isTTY) process.stdout.write(`${text}\n`)
      else createLog('info').info(fields, text)
    },
  })
}

async function loadMcp(env: NodeJS.ProcessEnv): Promise<Command> {
  const [{ mcpCommand }, { createMcpDeps }] = await Promise.all([import('../cli/mcp.ts'), import('./mcp.ts')])
  return mcpCommand(createMcpDeps(await configIn(env)))
}

async function loadProbe(env: NodeJS.ProcessEnv): Promise<Command> {
  const [{ probeCommand }, { proberOf }, { egressOf }, { nowUs }] = await Promise.all([
    import('../cli/probe.ts'),
    import('./probing.ts'),
    import('./egress.ts'),
    import('./clock.ts'),
  ])
  const config = await configIn(env)
  return probeCommand({
    prober: (store, told) => proberOf(config, store, egressOf(config, baseUrlOf(config)), told),
    nowUs,
    nextSignal,
  })
}

async function loadArchive(env: NodeJS.ProcessEnv): Promise<Command> {
  const [{ archiveCommand }, { foldOld, placeOf }, { nowUs }, { oldestKeptUs }, { countHistory }] = await Promise.all([
    import('../cli/archive.ts'),
    import('./archive/fold-old.ts'),
    import('./clock.ts'),
    import('../store/probes/retention.ts'),
    import('../log/stored/history.ts'),
  ])
  const config = await configIn(env)
  if (config.archive === undefined) {
    throw archiveProblem('ARCHIVE_TO is not set', 'set it to a folder or s3://bucket/prefix')
  }
  return archiveCommand({
    to: placeOf(config.archive).name,
    keptSinceUs: oldestKeptUs(nowUs(), config.keepDays),
    fold: async (store, onProgress, isNewPlace) => {
      if ((await countHistory(store.read)) === 0)
        return stoppable((signal) => foldOld(config, store, { onProgress, isNewPlace, signal }))
      const detail = 'the evidence log has not taken in all that was stored before it'
      throw archiveProblem(
        detail,
        'let tollbook serve run until it has; the page of its log says how many are left',
        409,
      )
    },
  })
}

/** Ends with the first signal that asks this program to; the second ends the program by itself. */
function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = (signal: string): void =>
    stopping.abort(
      new Problem('stopped', 499, 'Stopped', `ended by ${signal}`, 'run it again: it goes on where it was'),
    )
  void nextSignal().then(stop)
  return work(stopping.signal)
}

async function directoryDeps(env: NodeJS.ProcessEnv): Promise<DirectoryDeps> {
  return { baseUrl: baseUrlOf(await configIn(env)), fetch: globalThis.fetch, nowMs: Date.now }
}

async function loadPost(env: NodeJS.ProcessEnv): Promise<Command> {
  const [{ postCommand }, { createPayer }, { confirm, readStdin }] = await Promise.all([
    import('../cli/post.ts'),
    import('../cli/payers.ts'),
    import('./terminal.ts'),
  ])
  return postCommand({ ...(await directoryDeps(env)), sleep, readStdin, confirm, payer: createPayer })
}

async function loadDoctor(env: NodeJS.ProcessEnv): Promise<Command> {
  const [{ doctorCommand }, { checksOf }] = await Promise.all([
    import('../cli/doctor.ts'),
    import('./doctor/checks.ts'),
  ])
  const config = await configIn(env)
  return doctorCommand(() => checksOf(config))
}

async function loadWhy(env: NodeJS.ProcessEnv): Promise<Command> {
  const [{ whyCommand }, { probeRulesOf }, { nowUs }] = await Promise.all([
    import('../cli/explain/why.ts'),
    import('./probing.ts'),
    import('./clock.ts'),
  ])
  return whyCommand({ rules: probeRulesOf(await configIn(env)), nowUs })
}
