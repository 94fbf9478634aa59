import { resolve } from 'node:path'
import { circlesIn, fullFolders, type Imports, importsUnder, placesOf } from './imports.ts'

const EVERYBODY = ['async', 'domain', 'wire'] as const
const BELOW_CLI = [
  ...[...EVERYBODY, 'log/tlog', 'client', 'store', 'archive', 'ingest', 'probe'],
  ...['payment', 'acts', 'log', 'views', 'render'],
] as const

/** Which rooms a room may know. Imports point one way: `domain` knows nobody, `main` knows all. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  async: [],
  wire: ['domain'],
  client: ['domain', 'wire'],
  'log/tlog': [],
  store: EVERYBODY,
  ingest: [...EVERYBODY, 'store'],
  probe: [...EVERYBODY, 'store'],
  payment: [...EVERYBODY, 'store'],
  acts: [...EVERYBODY, 'store', 'payment'],
  log: [...EVERYBODY, 'log/tlog', 'store'],
  views: [...EVERYBODY, 'store'],
  archive: [...EVERYBODY, 'store'],
  render: ['domain', 'wire', 'views'],
  http: [...EVERYBODY, 'acts', 'log', 'log/tlog', 'views', 'render'],
  mcp: [...EVERYBODY, 'acts', 'views', 'render'],
  cli: BELOW_CLI,
  main: [...BELOW_CLI, 'http', 'mcp', 'cli'],
}

/** Folders beside `src`, which may know all of it. */
const BESIDE = ['bench', 'drills', 'sandbox', 'scripts'] as const
const MOST_FILES = 20
/** Among what lies directly in the store: more, and nobody sees through it. */
const MOST_STORE_ARROWS = 100

/** The folder directly in `src`, or a room within it that has a line of its own in the table. */
function roomOf(file: string): string {
  const [outer = '', inner] = file.split('/')
  const room = `${outer}/${inner}`
  return room in MAY_KNOW ? room : outer
}

/** Every import that points the wrong way. */
export function faultsOf(imports: Imports): string[] {
  const faults: string[] = []
  for (const [file, targets] of imports) {
    const room = roomOf(file)
    const known = MAY_KNOW[room]
    if (!known) faults.push(`${file}: ${room} is not a room`)
    for (const target of targets) {
      if (target.startsWith('..')) faults.push(`${file} reaches outside src: ${target}`)
      else if (roomOf(target) !== room && !known?.includes(roomOf(target)))
        faults.push(`${file} must not know ${target}`)
      else if (target.includes('/testing/') && !file.includes('/testing/'))
        faults.push(`${file} must not know ${target}, which is for tests`)
    }
  }
  return faults
}

/** What is wrong with the house as it stands, and what one sees of it. */
export function surveyOf(root: string): { readonly faults: string[]; readonly figures: string[] } {
  const src = importsUnder(resolve(root, 'src'))
  const all = importsUnder(root, ['src', ...BESIDE])
  const full = fullFolders(all, MOST_FILES)
  const circles = circlesIn(new Map([...all, ...importsUnder(root, ['test'])]))
  const { places, arrows } = placesOf(all, 'src/store')
  const tangled = arrows.length >= MOST_STORE_ARROWS ? [`${arrows.length} arrows among the places of src/store`] : []
  return {
    faults: [...faultsOf(src), ...circles, ...full, ...tangled],
    figures: [
      `${src.size} files in src`,
      `${full.length} folders with more than ${MOST_FILES} files`,
      `${places.length} places in src/store, ${arrows.length} arrows among them`,
      `${circles.length} circles`,
    ],
  }
}

if (process.argv[1]?.endsWith('rooms.js')) {
  const { faults, figures } = surveyOf(resolve('.'))
  for (const fault of faults) console.error(fault)
  console.log(`${figures.join('; ')}; ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
