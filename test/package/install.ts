import { spawn } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { cleanEnvironment, type Ended, ended } from '../support/program.ts'
import { PROJECT } from './lock.ts'
import { openRegistry } from './registry.ts'

const packed = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
])
export type Packed = z.infer<typeof packed>[0]

/** Nothing of the developer's own npm configuration, and nobody asked for newer versions of npm. */
export const npmEnvironment = (folder: string): NodeJS.ProcessEnv =>
  cleanEnvironment({
    npm_config_userconfig: join(folder, 'no-npmrc'),
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  })

async function succeeded(what: string, running: Promise<Ended>): Promise<string> {
  const { code, out, err } = await running
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${err}`)
  return out
}

/** The package as it would be published, out of the build that is there. */
export async function pack(folder: string): Promise<Packed> {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const out = await succeeded('npm pack', ended(spawn('npm', words, { cwd: PROJECT, env: npmEnvironment(folder) })))
  return packed.parse(JSON.parse(out))[0]
}

export interface Installed {
  /** An empty project that depends on the package. */
  readonly project: string
  readonly packed: Packed
  /** Without the package itself. */
  readonly packages: number
  readonly bytes: number
}

/**
 * Packs, and installs into an empty project from a registry that has the versions of the lock file, so that newer ones
 * elsewhere change nothing. No install script runs: the package has to work without.
 */
export const packAndInstall = async (folder: string): Promise<Installed> => install(folder, await pack(folder))

/** `client`: for those who use nothing but the client. */
export async function install(
  folder: string,
  tarball: Packed,
  use: 'program' | 'client' = 'program',
): Promise<Installed> {
  const project = join(folder, use)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  const registry = await openRegistry('installed')
  try {
    const words = [
      'install',
      '--omit=dev',
      ...(use === 'client' ? ['--omit=optional'] : []),
      '--ignore-scripts',
      '--registry',
      registry.url,
      join(folder, tarball.filename),
    ]
    await succeeded('npm install', ended(spawn('npm', words, { cwd: project, env: npmEnvironment(folder) })))
  } finally {
    await registry.close()
  }
  const modules = join(project, 'node_modules')
  return { project, packed: tarball, packages: packagesIn(modules).length - 1, bytes: bytesIn(modules) }
}

const entriesOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' })

/** Folders of packages, those inside others too. */
const packagesIn = (modules: string): string[] =>
  entriesOf(modules).filter((file) => /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(file))

const bytesIn = (folder: string): number =>
  entriesOf(folder)
    .map((file) => lstatSync(join(folder, file)))
    .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0)
