import { readFileSync, writeFileSync } from 'node:fs'
import { configTable } from './config-table.ts'

const FILE = 'docs/operating.md'
const START = '<!-- config table: written by `node dist/scripts/write-config-table.js` -->\n'
const END = '<!-- end of config table -->'

/** The page with its table as the schema has it now. */
export function withConfigTable(page: string): string {
  const [before, rest] = page.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${FILE} has lost its marks`)
  return `${before}${START}${configTable()}\n${END}${after}`
}

if (process.argv[1]?.endsWith('write-config-table.js')) writeFileSync(FILE, withConfigTable(readFileSync(FILE, 'utf8')))
