import { execFile, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listenOnLoopback } from './loopback.ts'

/** Debian's prober for HTTP services, asked by a load generator. */
export interface Blackbox {
  /** Probes of this address a second. */
  rate(url: string, concurrency: number): Promise<number>
  end(): Promise<void>
}

const EXPORTER = 'prometheus-blackbox-exporter'
const GENERATOR = 'wrk'
const SECONDS = 3

const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined

/** `null` where the exporter or the generator is not installed. */
export async function startBlackbox(folder: string): Promise<Blackbox | null> {
  if (!isInstalled(EXPORTER) || !isInstalled(GENERATOR)) return null
  const config = join(folder, 'blackbox.yml')
  const http = '{ valid_status_codes: [402], follow_redirects: false, preferred_ip_protocol: ip4 }'
  writeFileSync(config, `modules:\n  seller: { prober: http, timeout: 5s, http: ${http} }\n`)
  const port = await freePort()
  const flags = [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error']
  const exporter = spawn(EXPORTER, flags, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => exporter.once('exit', () => resolve()))
  const probe = (url: string): string =>
    `http://127.0.0.1:${port}/probe?module=seller&target=${encodeURIComponent(url)}`
  return {
    rate: async (url, concurrency) => {
      await succeeding(probe(url))
      const flags = ['-t1', `-c${concurrency}`, `-d${SECONDS}s`, probe(url)]
      const { stdout } = await promisify(execFile)(GENERATOR, flags)
      return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
    },
    end: async () => {
      exporter.kill()
      await ended
    },
  }
}

async function succeeding(address: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const text = await fetch(address).then(
      (response) => response.text(),
      () => '',
    )
    if (/^probe_success 1$/m.test(text)) return
    if (tries === 100) throw new Error(`${EXPORTER} does not probe`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
