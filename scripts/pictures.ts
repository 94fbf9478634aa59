import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { FLOWS, type Flow } from './flows.ts'
import { type Imports, importsUnder } from './imports.ts'

// Pictures of the house for docs/architecture.md, drawn from the code: `npm run pictures` renews them, a test holds them.

const STYLE = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2430 } .small { font-size: 11px; fill: #667 }
rect { fill: #f4f5f8; stroke: #9aa3b5; rx: 6 } path { fill: none; stroke: #b4bccb } .head { fill: #b4bccb; stroke: none }
@media (prefers-color-scheme: dark) { text { fill: #e6e8ee } .small { fill: #9aa3b5 } rect { fill: #222732; stroke: #5c667a } path { stroke: #4b5568 } .head { fill: #4b5568 } }
</style>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const svg = (width: number, height: number, title: string, body: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    STYLE,
    ...body,
    '</svg>\n',
  ].join('\n')

const head = (x: number, y: number): string =>
  `<path class="head" d="M${x - 4} ${y - 7}L${x} ${y}L${x + 4} ${y - 7}z"/>`

interface Room {
  readonly name: string
  readonly files: number
  readonly knows: ReadonlyMap<string, number>
}

/** The rooms of `src`, with how many imports lead from each to each other. */
function roomsIn(imports: Imports): Map<string, Room> {
  const rooms = new Map<string, { name: string; files: number; knows: Map<string, number> }>()
  const roomAt = (file: string) => {
    const name = file.split('/')[0] ?? ''
    const room = rooms.get(name) ?? { name, files: 0, knows: new Map<string, number>() }
    rooms.set(name, room)
    return room
  }
  for (const [file, targets] of imports) {
    const room = roomAt(file)
    room.files += 1
    for (const target of targets) {
      const { name } = roomAt(target)
      if (name !== room.name) room.knows.set(name, (room.knows.get(name) ?? 0) + 1)
    }
  }
  return rooms
}

/** How many floors lie below a room: one more than below any room that it knows. */
function floorOf(rooms: ReadonlyMap<string, Room>, name: string): number {
  const below = [...(rooms.get(name)?.knows.keys() ?? [])].map((known) => floorOf(rooms, known) + 1)
  return Math.max(0, ...below)
}

const WIDTH = 880
const BOX = { width: 132, height: 44, gap: 92 }

/** Every room on its floor. Of the arrows only those that go without saying otherwise: not to what everybody knows. */
function roomsPicture(imports: Imports): string {
  const rooms = roomsIn(imports)
  const floors: string[][] = []
  for (const name of [...rooms.keys()].sort()) {
    const floor = floorOf(rooms, name)
    floors[floor] = [...(floors[floor] ?? []), name]
  }
  const height = floors.length * BOX.gap + 20
  const placeOf = new Map(
    floors.flatMap((names, floor) =>
      names.map((name, index): [string, { x: number; y: number }] => [
        name,
        { x: (WIDTH / (names.length + 1)) * (index + 1), y: height - 40 - floor * BOX.gap },
      ]),
    ),
  )
  const boxes: string[] = []
  const arrows: string[] = []
  for (const [name, { x, y }] of placeOf) {
    const { files = 0, knows = new Map<string, number>() } = rooms.get(name) ?? {}
    boxes.push(
      `<rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}"/>`,
      `<text x="${x}" y="${y - 2}" text-anchor="middle">${name}</text>`,
      `<text class="small" x="${x}" y="${y + 14}" text-anchor="middle">${files} files</text>`,
    )
    for (const [known, n] of knows) {
      const to = placeOf.get(known)
      if (to === undefined || known === 'domain' || known === 'wire' || known === 'async') continue
      const [fromY, toY] = [y + BOX.height / 2, to.y - BOX.height / 2]
      const middle = (fromY + toY) / 2
      const path = `M${x} ${fromY}C${x} ${middle} ${to.x} ${middle} ${to.x} ${toY}`
      arrows.push(`<path d="${path}" stroke-width="${Math.min(6, 1 + n / 12).toFixed(1)}"/>`, head(to.x, toY))
    }
  }
  return svg(WIDTH, height, 'The rooms of src: each knows only rooms below it', [...arrows, ...boxes])
}

const STEP = { width: 640, height: 46, gap: 66 }

/** The files of a flow from top to bottom, each with what it does there. */
function flowPicture({ title, steps }: Flow): string {
  const body = steps.flatMap(({ file, does }, index) => {
    const y = 10 + index * STEP.gap
    const arrow =
      index === 0
        ? []
        : [`<path d="M${STEP.width / 2} ${y - 20}V${y - 2}" stroke-width="1.5"/>`, head(STEP.width / 2, y)]
    return [
      ...arrow,
      `<rect x="4" y="${y}" width="${STEP.width - 8}" height="${STEP.height}"/>`,
      `<text x="16" y="${y + 19}">${escaped(file)}</text>`,
      `<text class="small" x="16" y="${y + 36}">${escaped(does)}</text>`,
    ]
  })
  return svg(STEP.width, steps.length * STEP.gap, title, body)
}

/** Every picture by its file name in docs/pictures. */
export function pictures(root: string): Map<string, string> {
  const flows = Object.entries(FLOWS).map(([name, flow]): [string, string] => [`${name}.svg`, flowPicture(flow)])
  return new Map([['rooms.svg', roomsPicture(importsUnder(join(root, 'src')))], ...flows])
}

if (process.argv[1]?.endsWith('pictures.js')) {
  const folder = resolve('docs/pictures')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of pictures(resolve('.'))) writeFileSync(join(folder, name), text)
}
