import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Installed, install, packAndInstall } from '../test/package/install.ts'
import { tableOf } from './markdown-table.ts'

const PAGE = 'docs/dependencies.md'
const START = '<!-- size of the package: written by `node dist/scripts/package-size.js` -->\n'
const END = '<!-- end of size of the package -->'

const under = (bytes: number, step: number): string => `under ${Math.ceil(bytes / 1e6 / step) * step} MB`

/** Sizes are told coarsely, since every changed line moves them; the number of packages is exact. */
const sizeTable = ({ packed, packages, bytes }: Installed, client: Installed): string =>
  tableOf(
    ['What', 'How much'],
    [
      ['the package, packed', under(packed.size, 3)],
      ['the package, unpacked', under(packed.unpackedSize, 10)],
      ['packages that come with it', String(packages)],
      ['all of it on disk', under(bytes, 10)],
      ['packages without the optional ones', String(client.packages)],
      ['all of that on disk', under(client.bytes, 10)],
    ],
  )

/** The page with what was measured. */
export function withSizes(page: string, installed: Installed, client: Installed): string {
  const [before, rest] = page.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has lost the marks of its sizes`)
  return `${before}${START}${sizeTable(installed, client)}\n${END}${after}`
}

if (process.argv[1]?.endsWith('package-size.js')) {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-size-'))
  try {
    const installed = await packAndInstall(folder)
    const client = await install(folder, installed.packed, 'client')
    writeFileSync(PAGE, withSizes(readFileSync(PAGE, 'utf8'), installed, client))
    console.log(sizeTable(installed, client))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
