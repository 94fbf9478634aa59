import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ChainOptions, RunningChain } from './running-chain.ts'

export interface Anvil extends RunningChain {
  readonly pid: number
}

export interface AnvilOptions extends ChainOptions {
  /** Further flags. */
  readonly args?: readonly string[]
}

/**
 * Starts the node and holds its life to a pipe: however this program ends, `kill -9` included, the pipe closes and the
 * shell ends the node. First line: the node's pid. Its standard output closes when it ends by itself.
 */
const GUARD = '"$@" </dev/null & echo $!; exec >&- 2>&-; read -r _; kill -9 $!'

const BOOT_MS = 20_000
/** The node is ended without a word, so its state is written while it runs. */
const KEEP_SECONDS = '2'

/** A local chain of its own, empty but for the development accounts, where anvil's binary is. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const binary = anvilBinary()
  if (binary === null) throw new Error(`anvil is not present on ${PLATFORM}`)
  const child = spawn('sh', ['-c', GUARD, 'sh', binary, ...flagsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A Ctrl-C is for this program alone, which may still have to read the chain while it ends.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    // Whoever waits for the end must not be gone before it.
    child.ref()
    child.stdin.end()
    await ended
  }
  child.stdin.on('error', () => child.kill('SIGKILL'))
  try {
    const said = await new Promise<string>((resolve, reject) => {
      let text = ''
      const hear = (chunk: Buffer): void => {
        if (/Listening on \S+/.test(text)) return
        text += chunk.toString()
        if (/Listening on \S+\s/.test(text)) resolve(text)
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('error', reject)
      child.stdout.once('close', () => reject(new Error(`anvil ended: ${text.trim()}`)))
      setTimeout(() => reject(new Error(`anvil does not start: ${text.trim()}`)), BOOT_MS).unref()
    })
    child.unref()
    for (const stream of [child.stdin, child.stdout, child.stderr]) if ('unref' in stream) callUnref(stream)
    return {
      url: `http://${/Listening on (\S+)/.exec(said)?.[1]}`,
      pid: Number(/^\d+/.exec(said)?.[0]),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The node must not keep this program running; pipes to a child are sockets, which their type does not say. */
function callUnref(stream: { readonly unref: unknown }): void {
  if (typeof stream.unref === 'function') stream.unref()
}

function flagsOf({ chainId, kind, blockTimeS, port = 0, stateFile, args = [] }: AnvilOptions): string[] {
  const blockTime = blockTimeS === undefined ? [] : ['--block-time', String(blockTimeS)]
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)],
    ...blockTime,
    // Tempo is held at one set of its rules. Its blocks come by the clock alone.
    ...(kind === 'tempo' ? ['--network', 'tempo', '--hardfork', 'T4'] : blockTime.length > 0 ? ['--mixed-mining'] : []),
    ...(stateFile === undefined ? [] : ['--state', stateFile, '--state-interval', KEEP_SECONDS]),
    ...args,
  ]
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** As people write it, e.g. `linux-arm64`. */
export const PLATFORM = `${process.platform}-${process.arch}`

/** Where anvil is on this machine; null where its package does not exist or was left out. */
export function anvilBinary(): string | null {
  try {
    const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
    // The binary's package is a dependency of ours, wherever npm put it.
    const ours = createRequire(createRequire(import.meta.url).resolve('tollbook-anvil/package.json'))
    const file = join(dirname(ours.resolve(`${name}/package.json`)), 'bin', 'anvil')
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}
