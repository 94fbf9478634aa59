import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Lock, type LockEntry, PROJECT, readLock, readManifest } from './lock.ts'

const SYSTEMS = ['linux', 'darwin'] as const
/** One processor has two names in names of packages. */
const PROCESSORS = [['x64', 'amd64'], ['arm64']] as const

/** Never published; where they would be needed, the tests that compare with anvil say that it is not there. */
const NOT_IN_THE_REGISTRY = [
  'node_modules/@foundry-rs/anvil-darwin-amd64',
  'node_modules/@foundry-rs/anvil-darwin-arm64',
  'node_modules/@foundry-rs/anvil-linux-arm64',
]

const words = (name: string): string[] => name.split(/[/-]/)
const nameOf = (place: string): string => place.split('node_modules/').at(-1) ?? ''

/** Names of packages that hold one platform's part of another. */
const platformParts = ({ optionalDependencies = {} }: LockEntry): string[] =>
  Object.keys(optionalDependencies).filter(
    (name) =>
      SYSTEMS.some((system) => words(name).includes(system)) &&
      PROCESSORS.flat().some((processor) => words(name).includes(processor)),
  )

/** What stands in the way of somebody's `npm ci`. */
function faultsOf({ packages }: Lock, allowScripts: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(packages).flatMap(([place, entry]) => {
    const faults: string[] = []
    const parts = platformParts(entry)
    for (const system of parts.length > 0 ? SYSTEMS : []) {
      for (const processor of PROCESSORS) {
        const part = parts.find(
          (name) => words(name).includes(system) && processor.some((known) => words(name).includes(known)),
        )
        if (part === undefined) faults.push(`${place} has no part for ${system} on ${processor[0]}`)
        else if (!(`${place}/node_modules/${part}` in packages || `node_modules/${part}` in packages))
          faults.push(`${place}: ${part} is missing`)
      }
    }
    const isForeign = place.includes('node_modules/') && !entry.link
    if (isForeign && entry.integrity === undefined && !(NOT_IN_THE_REGISTRY.includes(place) && entry.optional))
      faults.push(`${place} has no integrity`)
    if (/^\w+:\/\//.test(entry.resolved ?? '')) faults.push(`${place} names a download address`)
    if (entry.hasInstallScript && isOurs(entry) && !(nameOf(place) in allowScripts))
      faults.push(`${place} has an install script that allowScripts does not name`)
    return faults
  })
}

/** On the platforms that are promised: elsewhere nobody has reviewed it, and it does not run. */
const isOurs = ({ os, cpu }: LockEntry): boolean =>
  (os === undefined || SYSTEMS.some((system) => os.includes(system))) &&
  (cpu === undefined || PROCESSORS.flat().some((processor) => cpu.includes(processor)))

it('every dependency has a reason in docs/dependencies.md, and nothing else has one', () => {
  const rows = readFileSync(join(PROJECT, 'docs/dependencies.md'), 'utf8').split('\n## Size of the package')[0] ?? ''
  const named = Array.from(rows.matchAll(/^\| (`.+?) \|/gm), ([, cell = '']) => cell.match(/[^`*, ]+/g) ?? []).flat()
  const { dependencies, optionalDependencies, devDependencies } = readManifest()
  const used = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  expect(named.toSorted()).toEqual(used.toSorted())
})

describe('package-lock.json', () => {
  it('installs on linux and mac, x64 and arm64, and says what is to arrive', () => {
    const lock = readLock()
    expect(Object.values(lock.packages).filter((entry) => platformParts(entry).length > 0).length).toBeGreaterThan(4)
    expect(faultsOf(lock, readManifest().allowScripts)).toEqual([])
  })

  it('names exactly three packages that nobody can download', () => {
    const { packages } = readLock()
    expect(Object.keys(packages).filter((place) => NOT_IN_THE_REGISTRY.includes(place))).toEqual(NOT_IN_THE_REGISTRY)
    for (const place of NOT_IN_THE_REGISTRY)
      expect(packages[place]).toMatchObject({ optional: true, os: [expect.any(String)], cpu: [expect.any(String)] })
  })

  it('is refused when a part, an integrity or a permission is missing, or an address is there', () => {
    const integrity = 'sha512-AA=='
    const parts = { 'tool-linux-x64': '1.0.0', 'tool-linux-arm64': '1.0.0', 'tool-darwin-x64': '1.0.0' }
    const packages: Record<string, LockEntry> = {
      'node_modules/tool': { integrity, optionalDependencies: parts },
      'node_modules/tool-linux-x64': { integrity },
      'node_modules/tool-linux-arm64': {},
      'node_modules/shy': { integrity, hasInstallScript: true },
      'node_modules/far': { integrity, resolved: 'https://registry.example/far.tgz' },
      'node_modules/denied': { integrity, hasInstallScript: true },
      'node_modules/elsewhere': { integrity, hasInstallScript: true, os: ['win32'] },
    }
    expect(faultsOf({ lockfileVersion: 3, packages }, { denied: false })).toEqual([
      'node_modules/tool: tool-darwin-x64 is missing',
      'node_modules/tool has no part for darwin on arm64',
      'node_modules/tool-linux-arm64 has no integrity',
      'node_modules/shy has an install script that allowScripts does not name',
      'node_modules/far names a download address',
    ])
  })
})
