import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** What each file imports of the same tree, by its path below the tree's root. */
export type Imports = ReadonlyMap<string, readonly string[]>

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'|new URL\('(\.[^']+)', import\.meta\.url\)/g

/** Every file of these folders under `root`, tests aside, and what it imports. */
export function importsUnder(root: string, folders: readonly string[] = ['.']): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => join(folder, file).split(sep).join('/')),
  )
  return new Map(files.map((file) => [file, importsOf(root, file)]))
}

function importsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)].map((match) => {
    const place = relative(root, resolve(root, dirname(file), match[1] ?? match[2] ?? ''))
    return place.split(sep).join('/')
  })
}

/** Every circle that imports form, each named once by its files. */
export function circlesIn(imports: Imports): string[] {
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

/** The folders that hold more files than one reads at a glance. */
export function fullFolders(imports: Imports, most: number): string[] {
  const counts = new Map<string, number>()
  for (const file of imports.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts].flatMap(([folder, n]) => (n > most ? [`${folder} holds ${n} files, more than ${most}`] : []))
}

export interface Arrow {
  readonly from: string
  readonly to: string
  /** How many imports it stands for. */
  readonly n: number
}

/** A room seen from its door: what lies directly in it, and the distinct arrows between those places. */
export function placesOf(imports: Imports, room: string): { readonly places: string[]; readonly arrows: Arrow[] } {
  const placeOf = (file: string): string | undefined =>
    file.startsWith(`${room}/`) ? file.slice(room.length + 1).split('/')[0] : undefined
  const places = new Set<string>()
  const arrows = new Map<string, Arrow>()
  for (const [file, targets] of imports) {
    const from = placeOf(file)
    if (from === undefined) continue
    places.add(from)
    for (const target of targets) {
      const to = placeOf(target)
      if (to === undefined || to === from) continue
      const key = `${from} ${to}`
      arrows.set(key, { from, to, n: (arrows.get(key)?.n ?? 0) + 1 })
    }
  }
  return { places: [...places].sort(), arrows: [...arrows.values()] }
}
