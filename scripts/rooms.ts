import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Which rooms a room may know. Imports point one way: `domain` knows nobody, `main` knows all. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  wire: ['domain'],
  client: ['domain', 'wire'],
  store: ['domain', 'wire'],
  ingest: ['domain', 'wire', 'store'],
  probe: ['domain', 'wire', 'store'],
  payment: ['domain', 'wire', 'store'],
  acts: ['domain', 'wire', 'store', 'payment'],
  views: ['domain', 'wire', 'store'],
  render: ['domain', 'wire', 'views'],
  http: ['domain', 'wire', 'acts', 'views', 'render'],
  mcp: ['domain', 'wire', 'acts', 'views', 'render'],
  cli: ['domain', 'wire', 'store', 'ingest', 'probe', 'payment', 'acts', 'views', 'render'],
  main: ['domain', 'wire', 'store', 'ingest', 'probe', 'payment', 'acts', 'views', 'render', 'http', 'mcp', 'cli'],
}

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'|new URL\('(\.[^']+)', import\.meta\.url\)/g

/** What each file of `src` imports from `src`, tests aside. */
export function importsUnder(src: string): Map<string, string[]> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => file.split(sep).join('/'))
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(src, file), 'utf8')
      const targets = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '')
      const places = targets.map((target) =>
        relative(src, resolve(src, dirname(file), target))
          .split(sep)
          .join('/'),
      )
      return [file, places]
    }),
  )
}

const roomOf = (file: string): string => file.split('/')[0] ?? ''

/** Every import that points the wrong way, and every circle. */
export function faultsOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const faults: string[] = []
  for (const [file, targets] of imports) {
    const room = roomOf(file)
    const known = MAY_KNOW[room]
    if (!known) faults.push(`${file}: ${room} is not a room`)
    for (const target of targets) {
      if (target.startsWith('..')) faults.push(`${file} reaches outside src: ${target}`)
      else if (roomOf(target) !== room && !known?.includes(roomOf(target)))
        faults.push(`${file} must not know ${target}`)
    }
  }
  return [...faults, ...circlesIn(imports)]
}

function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push(`circle: ${[...path.slice(start), file].join(' -> ')}`)
    if (start >= 0 || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

if (process.argv[1]?.endsWith('rooms.js')) {
  const imports = importsUnder(resolve('src'))
  const faults = faultsOf(imports)
  for (const fault of faults) console.error(fault)
  console.log(`${imports.size} files, ${faults.length} faults in the direction of imports`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
