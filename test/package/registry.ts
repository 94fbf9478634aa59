import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { PROJECT, readLock } from './lock.ts'

/** What a registry does with whoever asks it: `installed` has the packages of this checkout and no other. */
export type Manner = 'installed' | 'missing' | 'silent'

export interface Registry {
  readonly url: string
  /** Every path that was asked for. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

const manifest = z.looseObject({ name: z.string(), version: z.string() })

/** A registry on loopback. */
export async function openRegistry(manner: Manner): Promise<Registry> {
  const asked: string[] = []
  const packages = manner === 'installed' ? installedPackages() : new Map<string, string[]>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    if (manner === 'silent') return
    const place = path.startsWith('/-/') ? path.slice('/-/'.length) : undefined
    if (place !== undefined && existsSync(join(PROJECT, place))) return void sendTarball(place, response)
    const places = packages.get(path.slice(1))
    response.statusCode = places === undefined ? 404 : 200
    response.end(JSON.stringify(places === undefined ? {} : documentOf(places, url)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
  return {
    url,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Where each package of the lock file stands, one place per version; those of other platforms stand nowhere. */
function installedPackages(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const place of Object.keys(readLock().packages)) {
    const name = place.split('node_modules/').at(-1)
    if (!name || !place.startsWith('node_modules/') || !existsSync(join(PROJECT, place, 'package.json'))) continue
    found.set(name, [...(found.get(name) ?? []), place])
  }
  return found
}

function documentOf(places: readonly string[], url: string) {
  const versions = places.map((place) => {
    const read = manifest.parse(JSON.parse(readFileSync(join(PROJECT, place, 'package.json'), 'utf8')))
    return { ...read, dist: { tarball: `${url}/-/${place}` } }
  })
  const [first] = versions
  return {
    name: first?.name,
    'dist-tags': { latest: first?.version },
    versions: Object.fromEntries(versions.map((version) => [version.version, version])),
  }
}

/** An archive made of what is installed, without the packages inside it. */
function sendTarball(place: string, response: ServerResponse): void {
  const name = basename(place)
  const words = ['-c', '--exclude', `${name}/node_modules`, '-C', join(PROJECT, dirname(place)), name]
  spawn('tar', words, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.pipe(response)
}
